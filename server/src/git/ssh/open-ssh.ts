import { once } from 'node:events'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import ssh2 from 'ssh2'
import type { App } from '#app/app.ts'
import type { Listen } from '#base/network/network-address.ts'
import { fingerprintOf } from '#base/ssh/read-public-key.ts'
import type { HostKey } from '#domain/repos/deploy-keys/host-key.ts'
import { takeHostKey } from '#domain/repos/deploy-keys/take-host-key.ts'
import { Refusal } from '#git/git-request.ts'
import { openGitParts, type GitPartsApp } from '#git/open-git-parts.ts'
import { AdmissionDesk, type Admission } from './admission.ts'
import { sshLimits } from './limits.ts'
import { SshConnection } from './ssh-connection.ts'

export type SshApp = GitPartsApp & Pick<App, 'secretBox'>

/** `fingerprint`: of the host key. Disposed, it lets nobody in any more, and waits for what is under way. */
export type SshServer = AsyncDisposable & { port: number; fingerprint: string }

type Open = { admission: Admission; closed: Promise<void>; connection?: SshConnection }

/** Serves clone, fetch and push over SSH to deploy keys: nothing else that SSH can do. */
export async function openSsh(app: SshApp, listen: Listen): Promise<SshServer> {
  const { pool, secretBox: box } = app
  const { privateKey, fingerprint } = await takeHostKey(pool, { box, make: makeHostKey })
  const parts = openGitParts(app)
  const desk = new AdmissionDesk()
  const begin = openCounter()
  const open = new Map<Socket, Open>()
  const ssh = new ssh2.Server({ hostKeys: [privateKey], ...manners }, (client, { ip, port }) => {
    const found = open.entries().find(([{ remoteAddress, remotePort }]) => remoteAddress === ip && remotePort === port)
    if (!found) return void client.end()
    const [socket, entry] = found
    entry.connection = new SshConnection({ app: { pool, parts }, socket, client, admission: entry.admission, begin })
  })
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {})
    const admission = desk.enter(socket.remoteAddress ?? '')
    if (!admission) return void socket.destroy()
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    const entry: Open = { admission, closed }
    open.set(socket, entry)
    const slow = setTimeout(() => entry.admission.isStranger && socket.destroy(), sshLimits.signInMs)
    socket.once('close', () => {
      clearTimeout(slow)
      open.delete(socket)
      admission.leave()
      resolve()
    })
    ssh.injectSocket(socket)
    socket.on('data', () => {
      // The library reads it all again with each piece that comes.
      if (!entry.connection && socket.bytesRead > sshLimits.greetingBytesMax) socket.destroy()
    })
  })
  await once(server.listen(listen), 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    fingerprint,
    [Symbol.asyncDispose]: async () => {
      server.close()
      for (const [socket, { connection }] of open) {
        if (connection) connection.end()
        else socket.destroy()
      }
      await Promise.allSettled([...open.values()].map(({ closed }) => closed))
    },
  }
}

/** What is as strong as it is usual now: nothing that a client of the last ten years lacks. */
const manners = {
  ident: 'Runwright',
  algorithms: {
    kex: ['curve25519-sha256', 'curve25519-sha256@libssh.org', 'ecdh-sha2-nistp256', 'ecdh-sha2-nistp384'],
    cipher: ['aes256-gcm@openssh.com', 'aes128-gcm@openssh.com', 'aes256-ctr', 'aes128-ctr'],
    hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com'],
    // What is sent is compressed by git.
    compress: ['none'],
  },
  keepaliveInterval: sshLimits.aliveMs,
  keepaliveCountMax: sshLimits.unansweredMax,
} satisfies Omit<ConstructorParameters<typeof ssh2.Server>[0], 'hostKeys'>

async function makeHostKey(): Promise<HostKey> {
  const { private: privateKey, public: publicKey } = ssh2.utils.generateKeyPairSync('ed25519')
  const parsed = ssh2.utils.parseKey(publicKey)
  if (parsed instanceof Error) throw parsed
  return { privateKey, fingerprint: fingerprintOf(parsed.getPublicSSH()) }
}

/** Counts what is under way in this process, in all and of each organization. */
function openCounter(): (organizationId: number) => () => void {
  const counted = new Map<number, number>()
  let all = 0
  return (organizationId) => {
    const here = counted.get(organizationId) ?? 0
    const { conversationsMax, conversationsOfOrganizationMax } = sshLimits
    if (all >= conversationsMax || here >= conversationsOfOrganizationMax)
      throw new Refusal(503, 'Too many clones and pushes are under way. Try again later.')
    counted.set(organizationId, here + 1)
    all++
    return () => {
      const left = (counted.get(organizationId) ?? 1) - 1
      if (left) counted.set(organizationId, left)
      else counted.delete(organizationId)
      all--
    }
  }
}
