import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { parseHostName } from '#base/network/host-name.ts'
import { limits } from '#base/limits.ts'
import { dialOnly } from '#base/network/resolve-host.ts'
import type { EgressReason } from '#domain/repos/egress/egress.ts'
import type { Carried, Found, EgressPolicy, Patience, Target } from './egress-policy.ts'
import { parseClientHello, type Hello } from './parse-client-hello.ts'
import { sentenceFor } from './refuse.ts'

/** TLS's own word for "access denied", which programs show. */
const accessDenied = Buffer.from([21, 3, 1, 0, 2, 2, 49])

export type OpenTunnel = {
  /** What CONNECT names. */
  authority: string
  client: Duplex
  /** What came right behind it. */
  head: Buffer
}

/**
 * CONNECT: carries TLS to the host that it names, and nothing else. Phases: the name is checked, the client begins, the
 * server that it asks for in TLS is compared, and only then is anything dialled.
 */
export async function openTunnel(policy: EgressPolicy, { authority, client, head }: OpenTunnel): Promise<void> {
  // What comes meanwhile waits for whoever reads it.
  client.pause()
  const target = readAuthority(authority)
  const found = target.port === 0 ? await policy.refuse(target, 'malformed_name') : await policy.check(target)
  if (typeof found === 'string') return refuseTunnel(client, target, found)
  client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
  const { hello, bytes } = await awaitHello(client, { head, helloMs: policy.patience.helloMs })
  // Whoever has gone has had a name looked up, so that is recorded too.
  const reason = client.destroyed ? 'not_tls' : checkHello(hello, found)
  const passed = reason ? await policy.refuse(target, reason) : await policy.pass(found)
  if (typeof passed === 'string') return void client.end(accessDenied)
  carry(client, { patience: policy.patience, found, bytes, onEnd: passed })
}

/** `port` 0: it could not be read. */
function readAuthority(authority: string): Target {
  const [, host, digits] = /^(\[[\da-f:.]+\]|[^:]*):(\d{1,5})$/i.exec(authority) ?? []
  const port = Number(digits)
  return host !== undefined && port <= 65_535 ? { host, port } : { host: authority, port: 0 }
}

function refuseTunnel(client: Duplex, { host, port }: Target, reason: EgressReason): void {
  const text = `${sentenceFor({ host, port }, reason)}\n`
  // Some programs show no more than the first line.
  client.end(
    `HTTP/1.1 403 Forbidden (${reason})\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: ${Buffer.byteLength(text)}\r\nConnection: close\r\n\r\n${text}`,
  )
}

function checkHello(hello: Hello | undefined, { name }: Found): EgressReason | null {
  if (!hello) return 'not_tls'
  if (hello.reason !== null) return hello.reason
  return parseHostName(hello.serverName) === name ? null : 'server_name_mismatch'
}

/** Each is looked at with all before it; more of them are no hello, but work for us. */
const piecesMax = 1_000

/** All that came until the hello was whole, or could not become one any more. */
function awaitHello(
  client: Duplex,
  { head, helloMs }: { head: Buffer; helloMs: number },
): Promise<{ hello: Hello | undefined; bytes: Buffer }> {
  const { promise, resolve } = Promise.withResolvers<{ hello: Hello | undefined; bytes: Buffer }>()
  const late = setTimeout(() => settle(undefined), helloMs)
  let bytes = head
  let pieces = 0
  function settle(hello: Hello | undefined): void {
    clearTimeout(late)
    client.off('data', take).off('end', giveUp).off('close', giveUp)
    client.pause()
    resolve({ hello, bytes })
  }
  function take(chunk: Buffer): void {
    bytes = Buffer.concat([bytes, chunk])
    const hello = ++pieces > piecesMax ? ({ reason: 'not_tls' } as const) : parseClientHello(bytes)
    if (hello || bytes.length > 2 * limits.helloBytesMax) settle(hello)
  }
  const giveUp = () => settle(undefined)
  client.on('end', giveUp).on('close', giveUp)
  client.on('data', take).resume()
  if (head.length) take(Buffer.alloc(0))
  return promise
}

type Carry = { patience: Patience; found: Found; bytes: Buffer; onEnd: (carried: Carried) => void }

/** Both ways, each as long as it goes; what breaks on one side breaks the other. */
function carry(client: Duplex, { patience, found, bytes, onEnd }: Carry): void {
  const { name, port, addresses } = found
  const upstream = connect({
    host: name,
    port,
    lookup: dialOnly(addresses),
    allowHalfOpen: true,
  })
  let isConnected = false
  upstream.setTimeout(patience.dialMs, () => upstream.destroy())
  upstream.on('connect', () => {
    isConnected = true
    upstream.setTimeout(patience.idleMs)
  })
  upstream.on('error', () => client.destroy())
  upstream.on('close', () => {
    const { bytesWritten: sentBytes, bytesRead: receivedBytes } = upstream
    onEnd(isConnected ? { sentBytes, receivedBytes } : { sentBytes: 0, receivedBytes: 0, reason: 'unreachable' })
    if (!client.writableEnded) client.destroy()
  })
  client.on('close', () => upstream.destroy())
  if (client.destroyed) upstream.destroy()
  upstream.write(bytes)
  client.pipe(upstream).pipe(client)
}
