// A worker of the service with nothing behind its sandboxes: commands do nothing and succeed. Only for what is measured
// of a thousand runs at once that use no sandbox; 1,000 real ones need more memory than such a machine has.
import path from 'node:path'
import type { Sandbox, SandboxProvider } from '#adapters/sandboxes/sandbox.ts'
import { openApp } from '#app.ts'
import { readConfig } from '#base/config.ts'
import { version } from '#base/version.ts'
import { Worker } from '#worker/worker.ts'

const slots = Number(process.env['SLOTS'])
const enforcement = {
  memory: 'none',
  cpu: 'none',
  processes: 'none',
  disk: 'none',
  network: 'none',
  kill: 'none',
} as const
const empty = Buffer.alloc(0)

function openNoSandboxes(): SandboxProvider {
  const ids = new Set<string>()
  return {
    name: 'none',
    probe: async () => ({ isolated: true, problems: [], enforcement }),
    create: async ({ id }) => {
      ids.add(id)
      return makeSandbox(id)
    },
    remove: async (id) => void ids.delete(id),
    list: async () => [...ids],
  }
}

function makeSandbox(id: string): Sandbox {
  const ended = Promise.withResolvers<{ reason: string }>()
  const stop = async (reason: string) => ended.resolve({ reason })
  const done = {
    exitCode: 0,
    reason: 'exited',
    stdout: empty,
    stderr: empty,
    output: empty,
    cutBytes: 0,
    durationMs: 0,
  } as const
  return {
    id,
    paths: { workspace: '/workspace', home: '/home/agent', temporary: '/tmp', nodeFolder: '/usr/bin', mounts: {} },
    enforcement,
    exec: () => ({ result: Promise.resolve(done), write: () => {}, kill: () => {} }),
    readFile: async () => empty,
    writeFile: async () => {},
    stop,
    closed: ended.promise,
    [Symbol.asyncDispose]: () => stop('disposed'),
  }
}

const config = readConfig(process.env, { root: path.resolve(import.meta.dirname, '../../..') })
const app = Object.assign(await openApp(config), { sandboxes: openNoSandboxes() })
const worker = new Worker(app, { name: `no-sandbox-${process.pid}`, slots, labels: [], version })
await worker.start()
process.stdout.write('The worker is ready.\n')
await new Promise((resolve) => process.once('SIGTERM', resolve))
await worker[Symbol.asyncDispose]()
await app[Symbol.asyncDispose]()
process.exit()
