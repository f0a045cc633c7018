/** Large files (Git LFS) in the work trees of runs, with the real client where people work, and real git in a real sandbox. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { git, makeRepository } from '#test/example-repository.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({
  databaseUrl: db.url,
  role: 'api',
  env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir(), RUNWRIGHT_SECRET_KEY: 'the same secret key in every process' },
})
const at = `/v1/organizations/${service.organizationId}`

const oidOf = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')
const pointer = (oid: string, size: number) =>
  `version https://git-lfs.github.com/spec/v1\noid sha256:${oid}\nsize ${size}\n`

type Place = { repoId: number; clone: string; url: string }

/** A repository on the built-in host, and a person's clone of it in which Git LFS works. */
async function makePlace(name: string): Promise<Place> {
  const body = { name, import_from: makeRepository({ 'README.md': 'hello\n' }) }
  const repo = await service.call<{ id: number; git_url: string }>('POST', `${at}/repos`, body)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-clone-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const { href } = Object.assign(new URL(repo.git_url), { username: 'ada', password: service.token })
  git(folder, 'clone', '-q', href, name)
  const clone = path.join(folder, name)
  git(clone, 'lfs', 'install', '--local')
  return { repoId: repo.id, clone, url: href }
}

function push({ clone }: Place, files: Record<string, string | Buffer>, withLfs = true): void {
  for (const [name, content] of Object.entries(files)) writeFileSync(path.join(clone, name), content)
  const raw = withLfs
    ? []
    : ['-c', 'filter.lfs.clean=cat', '-c', 'filter.lfs.process=', '-c', 'filter.lfs.required=false']
  git(clone, ...raw, 'add', ...Object.keys(files))
  git(clone, 'commit', '-q', '-m', 'By a person')
  git(clone, 'push', '-q', ...(withLfs ? [] : ['--no-verify']), 'origin', 'HEAD:main')
}

async function play({ repoId }: Place, commands: string[]) {
  const script = [...commands.map((shell) => ({ shell })), { answer: 'Done.' }]
  const body = { prompt: 'Work', repo_id: repoId, agent_type: 'scripted', metadata: { script } }
  const { id } = await service.call<{ id: number }>('POST', `${at}/agent/run`, body)
  const run = await service.untilEnded(id)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
  const log = await service.log(id)
  const of = (name: string) => log.filter(({ tool_name }) => tool_name === name)
  const printed = of('shell').map(({ tool_output }) => String(tool_output?.['output']).trim())
  return { run, printed, left: of('lfs') }
}

async function workOn(place: Place, seed: Buffer): Promise<void> {
  const look =
    'sha256sum a.bin | cut -c 1-64; git status --porcelain; git diff --stat; git config --get-all http.extraheader || true'
  const change = [
    'head -c 200000 /dev/zero > new.bin; cp a.bin copy.bin; printf more >> b.bin; echo text > plain.txt; git add new.bin',
    'git diff --cached new.bin | grep "^+"',
  ]
  const { run, printed, left } = await play(place, [look, ...change])
  assert.equal(printed[0], oidOf(seed))
  assert.match(printed[2] ?? '', /^\+version https:\/\/git-lfs.github.com\/spec\/v1$/m)
  assert.deepEqual(left, [])
  const copy = mkdtempSync(path.join(os.tmpdir(), 'runwright-clone-'))
  after(() => rmSync(copy, { recursive: true, force: true }))
  git(copy, 'clone', '-q', '-b', String(run.branch), place.url, '.')
  git(copy, 'lfs', 'install', '--local')
  git(copy, 'lfs', 'pull')
  assert.deepEqual(readFileSync(path.join(copy, 'new.bin')), Buffer.alloc(200_000))
  assert.deepEqual(readFileSync(path.join(copy, 'copy.bin')), seed)
  assert.equal(String(readFileSync(path.join(copy, 'b.bin'))), 'small\nmore')
  const changed = git(copy, 'diff', '--name-only', 'origin/main', 'HEAD').trim().split('\n')
  assert.deepEqual(changed, ['b.bin', 'copy.bin', 'new.bin', 'plain.txt'])
  assert.equal(git(copy, 'show', 'HEAD:new.bin'), pointer(oidOf(Buffer.alloc(200_000)), 200_000))
}

const attributes = { '.gitattributes': '*.bin filter=lfs diff=lfs merge=lfs -text\n' }

test('a work tree has the content of large files; new ones are committed as pointers and are at the host', async () => {
  const worker = await service.startWorker({ RUNWRIGHT_PUBLIC_URL: service.url, RUNWRIGHT_LFS_MIB: '16' })
  const place = await makePlace('assets')
  const seed = randomBytes(3 * 2 ** 20)
  push(place, { ...attributes, 'a.bin': seed, 'b.bin': 'small\n' })
  await workOn(place, seed)

  const hostile = await makePlace('hostile')
  const filter = '[filter "evil"]\n\tsmudge = touch /tmp/evil\n\tclean = touch /tmp/evil\n'
  push(hostile, {
    '.gitattributes': '*.bin filter=lfs\n*.txt filter=evil\n',
    'small.bin': 'here\n',
    'a.txt': 'a',
    '.gitconfig': filter,
  })
  const huge = {
    'huge.bin': pointer('a'.repeat(64), 10 * 2 ** 40),
    'gone.bin': pointer('b'.repeat(64), 10),
    'raw.bin': 'raw',
  }
  push(hostile, huge, false)
  const { printed, left } = await play(hostile, [
    'cat small.bin raw.bin; echo; head -n 1 huge.bin gone.bin; git status --porcelain',
  ])
  assert.match(printed[0] ?? '', /^here\nraw\n==> huge.bin <==\nversion https.*\n\n==> gone.bin <==\nversion https.*$/)
  assert.match(String(left[0]?.observation), /huge\.bin \(10485760 MiB\).*RUNWRIGHT_LFS_MIB/)
  assert.match(String(left[0]?.observation), /gone\.bin/)
  worker.kill('SIGTERM')
  await once(worker, 'exit')
})

test('a worker without the disk of the host fetches large files from it, and uploads them there', async () => {
  await service.startElsewhere()
  const place = await makePlace('remote-assets')
  const seed = randomBytes(3 * 2 ** 20)
  push(place, { ...attributes, 'a.bin': seed, 'b.bin': 'small\n' })
  await workOn(place, seed)
})
