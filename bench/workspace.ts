// How fast a work tree is there: from the mirror against a full clone over HTTP, and from a snapshot against the setup itself.
import { execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { openBubblewrap } from '../server/src/adapters/sandboxes/bubblewrap.ts'
import { removeTree } from '../server/src/adapters/sandboxes/remove-tree.ts'
import { checkOut } from '../server/src/worker/runs/work-tree/check-out.ts'
import { objectsMount } from '../server/src/worker/runs/work-tree/objects-in.ts'
import type { Service } from '../server/test/service.ts'
import { startService } from './start-service.ts'
import { middle, percentile } from './percentile.ts'

const MiB = 1024 * 1024
const limits = { memoryBytes: 2_048 * MiB, processes: 256, diskBytes: 4_096 * MiB, lifetimeMs: 600_000 }
const uid = 64_900
const rounds = 3
const trackedFiles = 25_000
const commits = 300
const packages = 50
const filesPerPackage = 400

type Times = number[]
type Defer = (work: () => Promise<void>) => void

/** Lines of the report. */
export async function benchWorkspace({ databaseUrl, defer }: { databaseUrl: string; defer: Defer }): Promise<string[]> {
  const base = mkdtempSync(path.join(os.tmpdir(), 'runwright-bench-'))
  chmodSync(base, 0o711)
  defer(() => removeTree(base))
  const service = await startService({ databaseUrl, env: { RUNWRIGHT_IMPORT_PATHS: base }, defer })
  const checkedOut = await benchCheckOut(service, base)
  const prepared = await benchSetup(service, base)
  return [
    '| What | ours p50 / max | control p50 / max | p50 against control | wanted |',
    '|---|---|---|---|---|',
    row(`a repository of ${trackedFiles} files: from the mirror to the work tree in a new sandbox`, checkedOut, {
      control: 'full `git clone` over HTTP',
      wanted: 0.4,
    }),
    row(`${packages * filesPerPackage} files of setup: a work tree is prepared from the snapshot`, prepared, {
      control: '`npm ci` in the sandbox, its packages at hand',
      wanted: 0.2,
    }),
    '',
  ]
}

type Compared = { ours: Times; control: Times }

function row(what: string, { ours, control }: Compared, report: { control: string; wanted: number }): string {
  const ratio = middle(ours) / middle(control)
  const both = (times: Times) => `${Math.round(middle(times))} ms / ${Math.round(percentile(times, 0.99))} ms`
  const missed = ratio > report.wanted ? ', missed' : ''
  return `| ${what} | ${both(ours)} | ${report.control}: ${both(control)} | ${ratio.toFixed(2)}x | ≤ ${report.wanted}x${missed} |`
}

async function time(times: Times, work: () => Promise<unknown>): Promise<void> {
  const begun = performance.now()
  await work()
  times.push(performance.now() - begun)
}

/** Both begin with the repository on this machine; the clone goes through the Git gateway, as people's do. */
async function benchCheckOut(service: Service, base: string): Promise<Compared> {
  const source = path.join(base, 'large.git')
  await makeLargeRepository(source)
  const repo = await addRepository(service, { name: 'large', source })
  const url = Object.assign(new URL(repo.git_url), { username: 'bench', password: service.token }).href
  const provider = openBubblewrap({ folder: path.join(base, 'sandboxes'), uid })
  const gitFolder = path.join(service.dataDir, 'git', String(service.organizationId))
  const repository = path.join(
    gitFolder,
    readdirSync(gitFolder).find((name) => name === `${repo.id}.git`)!,
  )
  const commit = execFileSync('git', ['-C', repository, 'rev-parse', 'main'], { encoding: 'utf8' }).trim()
  const signal = AbortSignal.timeout(600_000)
  const compared: Compared = { ours: [], control: [] }
  for (let round = -1; round < rounds; round++) {
    const into = round < 0 ? { ours: [], control: [] } : compared
    const clone = path.join(base, 'clone')
    await time(into.control, () => run('git', ['clone', '-q', url, clone]))
    await removeTree(clone)
    const id = `tree-${round + 1}`
    await time(into.ours, async () => {
      const sandbox = await provider.create({
        id,
        limits,
        mounts: { [objectsMount]: path.join(repository, 'objects') },
      })
      await checkOut(sandbox, {
        branch: 'work',
        baseBranch: 'main',
        baseCommit: commit,
        commit,
        snapshot: null,
        signal,
      })
      await sandbox.stop('it is there')
    })
    await provider.remove(id)
  }
  return compared
}

/** What a run's log says of its setup: each time once by its commands, and once from what they have left. */
async function benchSetup(service: Service, base: string): Promise<Compared> {
  const source = path.join(base, 'packages')
  makePackages(source)
  const repo = await addRepository(service, { name: 'packages', source })
  const compared: Compared = { ours: [], control: [] }
  for (let round = -1; round < rounds; round++) {
    const into = round < 0 ? { ours: [], control: [] } : compared
    into.control.push((await setupOf(service, repo.id))[0]!)
    into.ours.push((await setupOf(service, repo.id)).at(-1)!)
    const { items } = await service.call<{ items: { n: number }[] }>('GET', `${at(service)}/repos/${repo.id}/snapshots`)
    for (const { n } of items) await service.ask('DELETE', `${at(service)}/repos/${repo.id}/snapshots/${n}`)
  }
  return compared
}

const at = ({ organizationId }: Service) => `/v1/organizations/${organizationId}`

function addRepository(service: Service, options: { name: string; source: string }) {
  const body = { name: options.name, import_from: options.source }
  return service.call<{ id: number; git_url: string }>('POST', `${at(service)}/repos`, body)
}

/** How long each entry of the setup took: the commands, where they were run, and then the unpacking. */
async function setupOf(service: Service, repo_id: number): Promise<Times> {
  const metadata = { script: [{ answer: 'ok' }] }
  const body = { prompt: 'Look', repo_id, agent_type: 'scripted', metadata }
  const { id } = await service.call<{ id: number }>('POST', `${at(service)}/agent/run`, body)
  const run = await service.untilEnded(id, 300_000)
  if (run.status !== 'completed') throw new Error(`the run ended as ${JSON.stringify(run.error)}`)
  const log = (await service.log(id)) as unknown as { tool_name: string | null; duration_ms: number }[]
  return log.filter(({ tool_name }) => tool_name === 'setup').map(({ duration_ms }) => duration_ms)
}

/** Files of two to eight KiB in folders of fifty, and a history that changes some of them. */
async function makeLargeRepository(folder: string): Promise<void> {
  execFileSync('git', ['init', '-q', '--bare', '-b', 'main', folder])
  const git = spawn('git', ['-C', folder, 'fast-import', '--quiet'], { stdio: ['pipe', 'inherit', 'inherit'] })
  const write = async (text: string) => void (git.stdin.write(text) || (await once(git.stdin, 'drain')))
  const name = (n: number) => `folder-${n % 10}/part-${Math.floor(n / 50)}/file-${n}.ts`
  const content = (n: number) => `${randomBytes(1_000 + (n % 7) * 400).toString('base64')}\n`
  const change = (n: number) => {
    const text = content(n)
    return `M 100644 inline ${name(n)}\ndata ${text.length}\n${text}\n`
  }
  for (let commit = 0; commit < commits; commit++) {
    await write(
      `commit refs/heads/main\ncommitter Bench <bench@example.com> ${1_700_000_000 + commit} +0000\ndata 4\nwork\n`,
    )
    const changed = commit === 0 ? trackedFiles : 40
    for (let n = 0; n < changed; n++) await write(change(commit === 0 ? n : (commit * 83 + n * 613) % trackedFiles))
  }
  git.stdin.end()
  const [code] = await once(git, 'close')
  if (code !== 0) throw new Error(`git fast-import ended with ${code}`)
  execFileSync('git', ['-C', folder, 'repack', '-adq'])
}

/** Packages as npm takes them, which lie in the repository itself: no network makes their installation slower. */
function makePackages(folder: string): void {
  const dependencies: Record<string, string> = {}
  mkdirSync(path.join(folder, 'packed'), { recursive: true })
  for (let n = 0; n < packages; n++) {
    const name = `dependency-${n}`
    const inside = path.join(folder, 'package', 'lib')
    mkdirSync(inside, { recursive: true })
    writeFileSync(path.join(folder, 'package', 'package.json'), JSON.stringify({ name, version: '1.0.0' }))
    for (let file = 0; file < filesPerPackage; file++)
      writeFileSync(path.join(inside, `file-${file}.js`), randomBytes(500 + (file % 9) * 300).toString('base64'))
    execFileSync('tar', ['-C', folder, '-czf', path.join(folder, 'packed', `${name}.tgz`), 'package'])
    dependencies[name] = `file:packed/${name}.tgz`
  }
  execFileSync('rm', ['-rf', path.join(folder, 'package')])
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ name: 'bench', version: '1.0.0', dependencies }))
  writeFileSync(path.join(folder, '.gitignore'), 'node_modules/\n')
  writeFileSync(path.join(folder, '.runwright.yml'), 'setup: npm ci --ignore-scripts --no-audit --no-fund --offline\n')
  execFileSync('npm', ['install', '--package-lock-only', '--offline', '--no-audit'], { cwd: folder, stdio: 'ignore' })
  execFileSync('git', ['init', '-q', '-b', 'main', folder])
  execFileSync('git', ['-C', folder, 'add', '-A'])
  const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com']
  execFileSync('git', ['-C', folder, ...identity, 'commit', '-qm', 'Begin'])
}

async function run(program: string, words: string[]): Promise<void> {
  const child = spawn(program, words, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${program} ended with ${code}`)
}
