import path from 'node:path'
import { duplexPair } from 'node:stream'
import type { Hello } from '#adapters/sandboxes/remote/events.ts'
import { FolderStore } from '#adapters/sandboxes/remote/folder-store.ts'
import { openRemote, type RemoteProvider } from '#adapters/sandboxes/remote/remote.ts'
import { serveSandboxes } from '#adapters/sandboxes/remote/serve-sandboxes.ts'
import { acceptSession, openSession, protocol } from '#adapters/sandboxes/remote/wire.ts'
import type { SandboxProvider } from '#adapters/sandboxes/sandbox.ts'

export type RemoteSandboxes = RemoteProvider & { cut(): void }

/** What this provider makes, as the service sees it that a worker with it has connected to. */
export function remoteOf(provider: SandboxProvider, { folder }: { folder: string }): RemoteSandboxes {
  const [here, there] = duplexPair()
  const hello: Hello = {
    protocol,
    version: '0.1.0',
    name: 'of a test',
    place: '00000000-0000-0000-0000-000000000000',
    slots: 2,
    labels: [],
    provider: provider.name,
    enforcement: provider.enforcement,
  }
  const folders = new FolderStore(path.join(folder, '../folders'))
  serveSandboxes(acceptSession(there), { provider, folders, hello, lookAtDisk: async () => null })
  const session = openSession(here)
  return { ...openRemote(session, hello), cut: () => void [here.destroy(), there.destroy()] }
}
