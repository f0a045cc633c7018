import type { Sandbox } from './sandbox.ts'

/** For a turn that uses no sandbox: nothing was made for it, and what it asks of it all the same is refused. */
export const noSandbox: Sandbox = {
  id: 'none',
  paths: { workspace: '', home: '', temporary: '', nodeFolder: '', ripgrep: null, mounts: {} },
  enforcement: { memory: 'none', cpu: 'none', processes: 'none', disk: 'none', network: 'none', kill: 'none' },
  limits: { memoryBytes: 0, processes: 0, diskBytes: 0, lifetimeMs: 0 },
  proxyUrl: null,
  canLookOnly: false,
  closed: new Promise(() => {}),
  exec: refuse,
  readFile: async () => refuse(),
  writeFile: async () => refuse(),
  stop: async () => {},
  [Symbol.asyncDispose]: async () => {},
}

function refuse(): never {
  throw new Error('A turn of an engine that needs no sandbox has asked for one.')
}
