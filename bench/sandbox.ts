// How fast sandboxes come and go, against bubblewrap by hand: the same flags, the same user, the same Node, one command.
import { spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { bubblewrapArguments, pathsInside } from '../server/src/adapters/sandboxes/bubblewrap-arguments.ts'
import { openBubblewrap } from '../server/src/adapters/sandboxes/bubblewrap.ts'
import { readRecords } from '../server/src/adapters/sandboxes/process-record.ts'
import { reachableProgram } from '../server/src/adapters/sandboxes/reachable-program.ts'
import { removeTree } from '../server/src/adapters/sandboxes/remove-tree.ts'
import { filesOf, prepareFiles } from '../server/src/adapters/sandboxes/sandbox-files.ts'
import type { Sandbox, SandboxProvider } from '../server/src/adapters/sandboxes/sandbox.ts'
import { seccompFilter } from '../server/src/adapters/sandboxes/seccomp.ts'
import { processTree } from '../server/test/test-sandboxes.ts'
import { middle, percentile } from './percentile.ts'

const MiB = 1024 * 1024
const limits = { memoryBytes: 512 * MiB, processes: 128, diskBytes: 512 * MiB, lifetimeMs: 600_000 }
const COMMAND_MS = 60_000
const uid = 64_900
const rounds = 40
const warmRounds = 3
const together = 20
const togetherRounds = 5

type Times = number[]

/** Lines of the report. */
export async function benchSandbox({ defer }: { defer: (work: () => Promise<void>) => void }): Promise<string[]> {
  const base = mkdtempSync(path.join(os.tmpdir(), 'runwright-bench-'))
  chmodSync(base, 0o711)
  defer(() => removeTree(base))
  const folder = path.join(base, 'sandboxes')
  const provider = openBubblewrap({ folder, uid })
  const times = {
    create: [] as Times,
    control: [] as Times,
    command: [] as Times,
    stop: [] as Times,
    remove: [] as Times,
  }
  const idle: number[] = []
  for (let round = -warmRounds; round < rounds; round++) {
    const into = round < 0 ? { create: [], control: [], command: [], stop: [], remove: [] } : times
    await time(into.control, () => startByHand(base, `hand-${round + warmRounds}`))
    let sandbox: Sandbox | undefined
    await time(into.create, async () => void (sandbox = await createAndRun(provider, `ours-${round + warmRounds}`)))
    if (!sandbox) continue
    await time(into.command, () => run(sandbox!))
    idle.push(memoryOf(folder, sandbox.id))
    await time(into.stop, () => sandbox!.stop('done'))
    await time(into.remove, () => provider.remove(sandbox!.id))
  }
  const [ours, byHand] = await startTogether(provider, base)
  return [
    '| What | ours p50 / p99 | control: bubblewrap by hand, the same flags, the same Node, p50 / p99 | p50 against control | wanted |',
    '|---|---|---|---|---|',
    row('a sandbox is created and its first command has ended', times.create, times.control, 1.5),
    row(`${together} at once, until the last has`, ours, byHand, null),
    '',
    '| What | p50 | p99 |',
    '|---|---|---|',
    `| a command in a sandbox that runs | ${both(times.command).replace(' / ', ' | ')} |`,
    `| a sandbox is stopped, with all its processes | ${both(times.stop).replace(' / ', ' | ')} |`,
    `| its files are removed | ${both(times.remove).replace(' / ', ' | ')} |`,
    '',
    `Memory of an idle sandbox: ${(middle(idle) / MiB).toFixed(1)} MiB, what it shares with others counted by its share.`,
    '',
  ]
}

const show = (ms: number) => `${ms.toFixed(1)} ms`
const both = (times: Times) => `${show(middle(times))} / ${show(percentile(times, 0.99))}`

function row(what: string, ours: Times, control: Times, request: number | null): string {
  const ratio = middle(ours) / middle(control)
  const goal = request === null ? '' : `≤ ${request}x${ratio > request ? ', missed' : ''}`
  return `| ${what} | ${both(ours)} | ${both(control)} | ${ratio.toFixed(2)}x | ${goal} |`
}

async function time(times: Times, work: () => Promise<unknown>): Promise<void> {
  const begun = performance.now()
  await work()
  times.push(performance.now() - begun)
}

async function run(sandbox: Sandbox): Promise<void> {
  const { exitCode, output } = await sandbox.exec({ argv: ['true'], timeoutMs: COMMAND_MS }).result
  if (exitCode !== 0) throw new Error(`the command failed: ${output}`)
}

async function createAndRun(provider: SandboxProvider, id: string): Promise<Sandbox> {
  const sandbox = await provider.create({ id, limits })
  await run(sandbox)
  return sandbox
}

async function startTogether(provider: SandboxProvider, base: string): Promise<[ours: Times, byHand: Times]> {
  const [ours, byHand]: [Times, Times] = [[], []]
  const numbers = Array.from({ length: together }, (_, number) => number)
  for (let round = 0; round < togetherRounds; round++) {
    await time(byHand, () => Promise.all(numbers.map((number) => startByHand(base, `hands-${round}-${number}`))))
    await time(ours, () => Promise.all(numbers.map((number) => createAndRun(provider, `many-${number}`))))
    for (const number of numbers) await provider.remove(`many-${number}`)
  }
  return [ours, byHand]
}

/** What somebody would write who wants no more than a command behind these walls, run by Node. */
async function startByHand(base: string, id: string): Promise<void> {
  const owner = process.getuid?.() === 0 ? { uid, gid: uid } : null
  const folder = path.join(base, 'by-hand')
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  const files = filesOf(folder, id)
  prepareFiles(folder, files, { owner })
  const program = `require('node:child_process').spawn('true').on('close', () => console.log('done'))`
  const { arguments: words, contents } = bubblewrapArguments({
    files,
    paths: pathsInside({}, { hasRipgrep: false }),
    mounts: {},
    node: reachableProgram({ path: process.execPath, version: process.version }, { folder: folder, owner: owner }),
    ripgrep: null,
    agentSource: program,
    loader: null,
    memoryBytes: limits.memoryBytes,
    network: null,
    bait: {},
    seccompDescriptor: 4,
    infoDescriptor: 5,
    contentsDescriptor: 6,
  })
  const asOwner = owner ? ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups', '--'] : []
  const inside = ['/run/runwright/bin/node', '--max-old-space-size=64', '--no-warnings', '-e', program]
  const [file, ...rest] = [...asOwner, '/usr/bin/bwrap', '--args', '3', '--', ...inside]
  const child = spawn(file!, rest, {
    env: { PATH: '/usr/bin:/bin:/usr/sbin:/sbin' },
    stdio: Array.from({ length: 6 + contents.length }, () => 'pipe' as const),
  })
  const options = [words.map((word) => `${word}\0`).join(''), seccompFilter({ limitsSegments: false })]
  options.forEach((data, index) => (child.stdio[3 + index] as Writable).end(data))
  contents.forEach((data, index) => (child.stdio[6 + index] as Writable).end(data))
  let text = ''
  for (const stream of [child.stdout, child.stderr] as Readable[]) stream.on('data', (chunk: Buffer) => (text += chunk))
  await new Promise((resolve) => child.on('close', resolve))
  if (text !== 'done\n') throw new Error(`bubblewrap by hand said: ${text}`)
}

/** Bytes that its processes hold. */
function memoryOf(folder: string, id: string): number {
  const first = readRecords(filesOf(folder, id).records).at(-1)!.pid
  return processTree(first).reduce((sum, pid) => {
    const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')
    return sum + Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0) * 1024
  }, 0)
}
