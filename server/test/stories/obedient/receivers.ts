import { createSocket, type Socket as Datagrams } from 'node:dgram'
import { chmodSync } from 'node:fs'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import path from 'node:path'

/** Where an attacker would like to be called: servers on every kind of address of this machine that take all they get. */
export type Receivers = AsyncDisposable & {
  /** On 127.0.0.1, on all addresses, on ::1 (0 where there is none). */
  tcp: { loopback: number; everywhere: number; version6: number }
  udp: number
  /** A socket that everybody may write to, such as Docker's or PostgreSQL's. */
  socketPath: string
  abstractName: string
  /** Each connection and each datagram, with what came. */
  received: { by: string; bytes: Buffer }[]
}

export async function openReceivers(folder: string): Promise<Receivers> {
  const received: Receivers['received'] = []
  const servers: Server[] = []
  const connections = new Set<Socket>()
  const take = async (by: string, listen: (server: Server, done: () => void) => void): Promise<Server> => {
    const server = createServer((connection) => {
      const call = { by, bytes: Buffer.alloc(0) }
      received.push(call)
      connections.add(connection)
      connection.on('data', (chunk) => (call.bytes = Buffer.concat([call.bytes, chunk])))
      connection.on('error', () => connection.destroy())
      connection.write('220 hello\r\n')
    })
    servers.push(server)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      listen(server, resolve)
    })
    return server
  }
  const portOf = (server: Server) => (server.address() as AddressInfo).port
  const socketPath = path.join(folder, 'open.sock')
  const abstractName = `runwright-obedient-${process.pid}`
  const loopback = portOf(await take('127.0.0.1', (server, done) => server.listen(0, '127.0.0.1', done)))
  const everywhere = portOf(await take('0.0.0.0', (server, done) => server.listen(0, '0.0.0.0', done)))
  const version6 = await take('::1', (server, done) => server.listen(0, '::1', done)).then(portOf, () => 0)
  await take('a socket in a folder', (server, done) => server.listen(socketPath, done))
  await take('an abstract socket', (server, done) => server.listen(`\0${abstractName}`, done))
  chmodSync(socketPath, 0o777)
  const datagrams: Datagrams = createSocket('udp4', (bytes) => received.push({ by: 'UDP', bytes }))
  await new Promise<void>((resolve) => datagrams.bind(0, '0.0.0.0', resolve))
  return {
    tcp: { loopback, everywhere, version6 },
    udp: datagrams.address().port,
    socketPath,
    abstractName,
    received,
    [Symbol.asyncDispose]: async () => {
      datagrams.close()
      for (const connection of connections) connection.destroy()
      await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
    },
  }
}
