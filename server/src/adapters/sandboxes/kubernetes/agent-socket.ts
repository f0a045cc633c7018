import { randomUUID } from 'node:crypto'
import type { Duplex } from 'node:stream'
import { listenForSandbox } from '#adapters/sandboxes/listen-for-sandbox.ts'
import type { SandboxFiles, SandboxOwner } from '#adapters/sandboxes/sandbox-files.ts'

export type AgentSocket = AsyncDisposable & {
  path: string
  /** Resolves when the agent has come. It is the first, before any command; whoever comes later is sent away. */
  connected: Promise<Duplex>
}

/** Listens, beside a sandbox's files, for the exec agent that is started elsewhere. */
export async function listenForAgent(files: SandboxFiles, owner: SandboxOwner): Promise<AgentSocket> {
  // Commands apart have agents of their own over the same files.
  const path = `${files.folder}/agent-${randomUUID().slice(0, 8)}.sock`
  const { promise: connected, resolve } = Promise.withResolvers<Duplex>()
  let hasCome = false
  const listening = await listenForSandbox({ ...files, socket: path }, owner, {
    connect: (socket) => {
      socket.on('error', () => {})
      if (hasCome) socket.destroy()
      hasCome = true
      resolve(socket)
    },
  })
  return { path, connected, [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose]() }
}
