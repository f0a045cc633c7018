import { chmodSync, chownSync, closeSync, existsSync, openSync, rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import path from 'node:path'
import type { SandboxFiles, SandboxOwner } from './sandbox-files.ts'
import type { SandboxNetwork } from './sandbox.ts'

/**
 * Listens on the sandbox's own socket, which only its user may connect to. One socket is one sandbox, so nobody has to
 * say who it is. Disposing it breaks off what is still connected, and leaves no socket behind.
 */
export async function listenForSandbox(
  files: SandboxFiles,
  owner: SandboxOwner,
  network: SandboxNetwork,
): Promise<AsyncDisposable> {
  const connections = new Set<Socket>()
  const server = createServer({ allowHalfOpen: true }, (connection) => {
    connections.add(connection)
    connection.on('close', () => connections.delete(connection))
    network.connect(connection)
  })
  // Of one that was killed.
  rmSync(files.socket, { force: true })
  // Open for as long as the socket is there: Node removes it by the path that it was given.
  const folder = openSync(files.folder, 'r')
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      closeSync(folder)
      reject(error)
    })
    server.listen(shortPath(files.socket, folder), resolve)
  })
  chmodSync(files.socket, 0o600)
  if (owner) chownSync(files.socket, owner.uid, owner.gid)
  return {
    [Symbol.asyncDispose]: async () => {
      for (const connection of connections) connection.destroy()
      await new Promise((resolve) => server.close(resolve))
      closeSync(folder)
    },
  }
}

/** The kernel takes 107 bytes for the path of a socket, and data folders may lie deeper than that. */
function shortPath(socket: string, folder: number): string {
  const short = `/proc/self/fd/${folder}/${path.basename(socket)}`
  return existsSync(path.dirname(short)) ? short : socket
}
