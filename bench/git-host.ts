// The built-in Git host after many pushes, against a fresh repository of the same content; and one push of many branches. The pushes are
// made by git in the repository's folder, each with a pack of its own, and one of each thousand over HTTP. BENCH_PUSHES sets their number.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, readdirSync, statSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { removeTree } from '../server/src/adapters/sandboxes/remove-tree.ts'
import { packetLine } from '../server/src/git/packet-line.ts'
import type { Service } from '../server/test/service.ts'
import { startService } from './start-service.ts'
import { middle, percentile } from './percentile.ts'

type Defer = (work: () => Promise<void>) => void
type Times = number[]
type Compared = { ours: Times; control: Times }
type Repo = { folder: string; url: string }

const pushes = Number(process.env.BENCH_PUSHES ?? 20_000)
const batch = 1_000
const files = 300
const clones = 9
const timedPushes = 20
const branches = 10_000
/** More packs than this are put together. */
const packsMax = 24
const nothing = '0'.repeat(40)

/** Lines of the report. */
export async function benchGitHost({ databaseUrl, defer }: { databaseUrl: string; defer: Defer }): Promise<string[]> {
  const base = mkdtempSync(path.join(os.tmpdir(), 'runwright-bench-'))
  chmodSync(base, 0o711)
  defer(() => removeTree(base))
  const service = await startService({ databaseUrl, env: { RUNWRIGHT_IMPORT_PATHS: base }, defer })
  const pushed = await addRepository(service, { name: 'pushed' })
  const packs = await pushOften(pushed, path.join(base, 'client'))
  await git(base, 'clone', '-q', '--bare', pushed.url, 'copy.git')
  const fresh = await addRepository(service, { name: 'fresh', import_from: path.join(base, 'copy.git') })
  await git(pushed.folder, 'fsck', '--strict', '--connectivity-only')
  const disk = { ours: bytesOf(pushed), control: bytesOf(fresh) }
  const cloned = await compareClones(base, { pushed, fresh })
  const next = await comparePushes(base, { pushed, fresh })
  const many = await pushManyBranches(service, base)
  const beside = await comparePushes(base, { pushed: many.repo, fresh })
  const what = `after ${pushes.toLocaleString('en-US')} pushes`
  return [
    '| What | ours | control: a fresh repository of the same content | ours against control | wanted |',
    '|---|---|---|---|---|',
    row(`${what}, when ${packs} packs are left: clone over HTTP, p50 / max`, cloned, 1.2),
    `| ${what}: disk | ${mb(disk.ours)} | ${mb(disk.control)} | ${ratioOf(disk.ours, disk.control, 1.5)}`,
    row(`${what}: one more push, p50 / max`, next, 1.5),
    `| one push of ${branches.toLocaleString('en-US')} branches, as a client sends it, until it is answered | ${(many.ours / 1_000).toFixed(1)} s | \`git receive-pack\` alone: ${(many.control / 1_000).toFixed(1)} s | ${(many.ours / many.control).toFixed(2)}x | ≤ 10 s${many.ours > 10_000 ? ', missed' : ''} |`,
    row('one more push to these branches, p50 / max', beside, 2),
    '',
  ]
}

const mb = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`

function ratioOf(ours: number, control: number, ratioMax: number): string {
  const ratio = ours / control
  return `${ratio.toFixed(2)}x | ≤ ${ratioMax}x${ratio > ratioMax ? ', missed' : ''} |`
}

function row(what: string, { ours, control }: Compared, ratioMax: number): string {
  const both = (times: Times) => `${Math.round(middle(times))} / ${Math.round(percentile(times, 1))} ms`
  return `| ${what} | ${both(ours)} | ${both(control)} | ${ratioOf(middle(ours), middle(control), ratioMax)}`
}

async function addRepository(service: Service, body: { name: string; import_from?: string }): Promise<Repo> {
  const route = `/v1/organizations/${service.organizationId}/repos`
  const { id, git_url } = await service.call<{ id: number; git_url: string }>('POST', route, body)
  const url = Object.assign(new URL(git_url), { username: 'bench', password: service.token }).href
  return { url, folder: path.join(service.dataDir, 'git', String(service.organizationId), `${id}.git`) }
}

/** Batch by batch, as fast as the service puts them together. Answers how many packs are left. */
async function pushOften(repo: Repo, client: string): Promise<number> {
  await git('/', 'init', '-q', '-b', 'main', client)
  await importCommits(client, { from: 0, count: 1 })
  await git(client, 'push', '-q', repo.url, 'main')
  for (let from = 1; from < pushes; from += batch) {
    await importCommits(repo.folder, { from, count: Math.min(batch, pushes - from) })
    await pushOne(client, repo, `more/${from}`)
    while (packsIn(repo) > packsMax) await pause(100)
  }
  return packsIn(repo)
}

/** Each commit changes two files, and comes in a pack of its own. */
async function importCommits(folder: string, { from, count }: { from: number; count: number }): Promise<void> {
  const words = ['-c', 'safe.directory=*', '-c', 'fastimport.unpackLimit=1', 'fast-import', '--quiet', '--done']
  const child = spawn('git', words, { cwd: folder, stdio: ['pipe', 'ignore', 'inherit'] })
  const lines: string[] = []
  for (let n = from; n < from + count; n++) {
    lines.push('commit refs/heads/main', `committer Ada <ada@example.com> ${1_700_000_000 + n} +0000`, 'data 0')
    if (n > 0) lines.push('from refs/heads/main^0')
    const changed = n ? [n % files, (n * 7 + 1) % files] : Array.from({ length: files }, (_, file) => file)
    for (const file of changed) {
      const text = Array.from(
        { length: 60 },
        (_, line) => `line ${line} of ${file}: ${line === n % 60 ? n : file * line}`,
      )
      const body = text.join('\n')
      lines.push(`M 100644 inline src/${file % 20}/${file}.txt`, `data ${body.length}`, body)
    }
    lines.push('checkpoint', '')
  }
  child.stdin.end([...lines, 'done', ''].join('\n'))
  const [exitCode] = (await once(child, 'close')) as [number]
  if (exitCode !== 0) throw new Error(`git fast-import ended with ${exitCode}`)
}

async function compareClones(base: string, { pushed, fresh }: { pushed: Repo; fresh: Repo }): Promise<Compared> {
  const compared: Compared = { ours: [], control: [] }
  const clone = async (times: Times, { url }: Repo) => {
    await time(times, () => git(base, 'clone', '-q', '--bare', url, 'clone.git'))
    await removeTree(path.join(base, 'clone.git'))
  }
  for (let round = -1; round < clones; round++) {
    await clone(round < 0 ? [] : compared.control, fresh)
    await clone(round < 0 ? [] : compared.ours, pushed)
  }
  return compared
}

/** Fewer than would have packs put together meanwhile. */
async function comparePushes(base: string, { pushed, fresh }: { pushed: Repo; fresh: Repo }): Promise<Compared> {
  const compared: Compared = { ours: [], control: [] }
  const client = path.join(base, 'client')
  for (let round = -1; round < timedPushes / 2; round++) {
    for (const [times, repo] of [
      [compared.control, fresh],
      [compared.ours, pushed],
    ] as const)
      await time(round < 0 ? [] : times, () => pushOne(client, repo, `timed/${performance.now()}`))
  }
  return compared
}

/** A commit on the first one, to a branch of its own. */
async function pushOne(client: string, { url }: Repo, branch: string): Promise<void> {
  const tree = await git(client, 'rev-parse', 'main^{tree}')
  const commit = await git(client, 'commit-tree', '-p', 'main', '-m', branch, tree)
  await git(client, 'push', '-q', url, `${commit}:refs/heads/${branch}`)
}

/** A client of git over HTTP takes a minute to make the list of so many; it is left out on both sides. */
async function pushManyBranches(service: Service, base: string) {
  const repo = await addRepository(service, { name: 'branches' })
  const client = path.join(base, 'client')
  await git(client, 'push', '-q', repo.url, 'main')
  const control = path.join(base, 'control.git')
  await git('/', 'clone', '-q', '--bare', client, control)
  const commit = await git(client, 'rev-parse', 'main')
  const lines = Array.from({ length: branches }, (_, n) => {
    const capabilities = n ? '' : '\0 report-status side-band-64k'
    return packetLine(`${nothing} ${commit} refs/heads/team-${n % 10}/branch-${n}${capabilities}`)
  })
  // An empty pack, as nothing is new.
  const pack = Buffer.from('5041434b0000000200000000029d08823bd8a8eab510ad6ac75c823cfd3ed31e', 'hex')
  const body = Buffer.concat([...lines, Buffer.from('0000'), pack])
  const times: Compared = { ours: [], control: [] }
  await time(times.control, async () => {
    const plain = spawn('git', ['receive-pack', '--stateless-rpc', control], { stdio: ['pipe', 'ignore', 'inherit'] })
    plain.stdin.end(body)
    await once(plain, 'close')
  })
  const { origin, pathname } = new URL(repo.url)
  const headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/x-git-receive-pack-request' }
  await time(times.ours, async () => {
    const answer = await fetch(`${origin}${pathname}/git-receive-pack`, { method: 'POST', headers, body })
    await answer.arrayBuffer()
  })
  const made = (await git(base, 'ls-remote', '--heads', repo.url)).split('\n').length
  if (made !== branches + 1) throw new Error(`there are ${made} branches`)
  return { repo, ours: times.ours[0]!, control: times.control[0]! }
}

async function time(times: Times, work: () => Promise<unknown>): Promise<void> {
  const begun = performance.now()
  await work()
  times.push(performance.now() - begun)
}

const packsIn = ({ folder }: Repo) =>
  readdirSync(path.join(folder, 'objects', 'pack')).filter((name) => name.endsWith('.pack')).length

function bytesOf({ folder }: Repo): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.reduce((bytes, { parentPath, name }) => bytes + statSync(path.join(parentPath, name)).size, 0)
}

async function git(folder: string, ...words: string[]): Promise<string> {
  const person = { GIT_AUTHOR_NAME: 'Ada', GIT_AUTHOR_EMAIL: 'ada@example.com' }
  const committer = { GIT_COMMITTER_NAME: 'Ada', GIT_COMMITTER_EMAIL: 'ada@example.com' }
  const env = { ...process.env, ...person, ...committer, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' }
  const options = { cwd: folder, env, maxBuffer: 1 << 26 }
  const { stdout } = await promisify(execFile)('git', ['-c', 'safe.directory=*', ...words], options)
  return stdout.trimEnd()
}
