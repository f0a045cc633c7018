// From a sandbox that is wanted to the end of its first command, with a pool and without, against bubblewrap in the same rounds.
import { chmodSync, mkdirSync, mkdtempSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openBubblewrap } from '../server/src/adapters/sandboxes/bubblewrap.ts'
import { openContainer } from '../server/src/adapters/sandboxes/container/container.ts'
import { openKubernetes } from '../server/src/adapters/sandboxes/kubernetes/kubernetes.ts'
import { removeTree } from '../server/src/adapters/sandboxes/remove-tree.ts'
import type { SandboxProvider } from '../server/src/adapters/sandboxes/sandbox.ts'
import { startEngine } from '../server/test/container-engine.ts'
import { startKubernetes } from '../server/test/kubernetes-server.ts'
import { until } from '../server/test/test-sandboxes.ts'
import { middle, percentile } from './percentile.ts'

const MiB = 1024 * 1024
const limits = { memoryBytes: 512 * MiB, processes: 128, diskBytes: 512 * MiB, lifetimeMs: 600_000 }
const COMMAND_MS = 60_000
const uid = 64_900
const rounds = 30
const warmRounds = 2

/** Lines of the report. */
export async function benchWarmSandbox({ defer }: { defer: (work: () => Promise<void>) => void }): Promise<string[]> {
  const engine = await startEngine()
  if (typeof engine === 'string') return [`Containers were not measured: ${engine}.`, '']
  const base = mkdtempSync(path.join(os.tmpdir(), 'runwright-bench-'))
  chmodSync(base, 0o711)
  defer(() => removeTree(base))
  const objects = path.join(base, 'objects')
  mkdirSync(objects)
  const { socket, image } = engine
  const cluster = await startKubernetes({ socket, volume: base })
  // oxlint-disable-next-line node/no-process-env -- where the client of the cluster looks for it
  process.env.KUBECONFIG = cluster.kubeconfig
  let ready = 0
  const pool = { size: 1, quietMs: 1, onReady: (count: number) => (ready = count) }
  const settings = (folder: string) => ({ folder: path.join(base, folder), uid, socket, image, runtime: null })
  const providers: Record<string, SandboxProvider> = {
    bubblewrap: openBubblewrap({ folder: path.join(base, 'bubblewrap'), uid }),
    container: openContainer(settings('container')),
    'container, ready': openContainer({ ...settings('ready'), pool }),
    kubernetes: openKubernetes(settings('pods')),
    'kubernetes, ready': openKubernetes({ ...settings('ready-pods'), pool }),
  }
  const times = new Map<string, number[]>(Object.keys(providers).map((name) => [name, []]))
  for (let round = -warmRounds; round < rounds; round++) {
    for (const [name, provider] of Object.entries(providers)) {
      const id = `round-${round + warmRounds}`
      const begun = performance.now()
      const sandbox = await provider.create({
        id,
        limits,
        mounts: { objects },
        recurs: true,
        bait: { PASSWORD: 'bait' },
      })
      await sandbox.exec({ argv: ['true'], timeoutMs: COMMAND_MS }).result
      if (round >= 0) times.get(name)!.push(performance.now() - begun)
      await sandbox.stop('done')
      await provider.remove(id)
      if (!name.endsWith('ready')) continue
      await until(() => ready === 1, 'the next one is ready')
      if (round === rounds - 1) await provider.close()
      ready = 0
    }
  }
  await cluster.stop()
  engine.stop()
  const control = middle(times.get('bubblewrap')!)
  return [
    `Load of the machine: ${os.loadavg()[0]!.toFixed(1)} on ${os.availableParallelism()} cores.`,
    '',
    '| Create → the first command has ended | p50 | p99 | least | p50 against bubblewrap |',
    '|---|---|---|---|---|',
    ...[...times].map(([name, all]) => row(name, all, control)),
    '',
  ]
}

const show = (ms: number) => `${ms.toFixed(1)} ms`

function row(name: string, times: number[], control: number): string {
  const p50 = middle(times)
  const [p99, least] = [percentile(times, 0.99), Math.min(...times)]
  return `| ${name} | ${show(p50)} | ${show(p99)} | ${show(least)} | ${(p50 / control).toFixed(2)}x |`
}
