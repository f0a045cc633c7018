import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { rows } from '#db/pool.ts'
import { makeRepository } from '#test/example-repository.ts'
import { encodings } from '#test/planted-secrets.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { runCommandLine } from '#test/run-command-line.ts'
import { until } from '#test/test-sandboxes.ts'

const programs = path.resolve(import.meta.dirname, '../../..')
const source = makeRepository({ 'README.md': 'hello\n' })
const env = { RUNWRIGHT_SECRET_KEY: randomBytes(32).toString('base64'), RUNWRIGHT_IMPORT_PATHS: source }
const db = await testDb()
const service = await startService({ databaseUrl: db.url, env })
const at = `/v1/organizations/${service.organizationId}`
const newValue = () => `its "value" is ${randomBytes(12).toString('base64')}`
const values = { TOKEN: newValue(), OTHER: newValue(), EVERYWHERE: newValue() }
const digestOf = (value: string) => createHash('sha256').update(value).digest('hex')
const names = Object.keys(values) as (keyof typeof values)[]

const runwright = (words: string[], input = '') => runCommandLine(service, ['secrets', ...words], { input })

const repo = await service.call<{ id: number }>('POST', `${at}/repos`, { name: 'shop', import_from: source })

/** A run with this script; its commands wait for each other by files in the work tree. */
const start = (script: object[]) => service.play(script, { prompt: 'Use them', repo_id: repo.id })
const workspaceOf = (id: number) => path.join(service.dataDir, `sandboxes/run-1-${id}/workspace`)

test('secrets are kept and listed by the command line, which takes values on standard input alone', () => {
  for (const name of names) assert.equal(runwright(['set', name], `${values[name]}\n`).status, 0)
  assert.equal(runwright(['set', 'GONE', '--repo', String(repo.id)], newValue()).status, 0)
  assert.match(runwright(['list', '--repo', String(repo.id)]).said, /^GONE {2}/)
  assert.equal(runwright(['delete', 'GONE', '--repo', String(repo.id)]).status, 0)
  assert.equal(runwright(['list', '--repo', String(repo.id)]).said, '')
  const listed = runwright(['list', '--json']).said
  assert.deepEqual(
    listed
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).name),
    [...names].sort(),
  )
  for (const value of Object.values(values)) assert.ok(!listed.includes(value))
  const refused = runwright(['set', 'TOKEN', 'a value beside it'])
  assert.equal(refused.status, 1)
  assert.match(refused.said, /too many arguments/)
})

test('a command has the secrets that it names, all commands those that the repository gives them', async () => {
  await service.call('PATCH', `${at}/repos/${repo.id}`, { environment_secrets: ['EVERYWHERE'] })
  const digests = `for name in ${names.join(' ')}; do printf %s "\${!name}" | sha256sum; done`
  const { id } = await start([
    { shell: digests, secrets: ['TOKEN'] },
    { shell: digests },
    { shell: 'true', secrets: ['UNKNOWN'] },
    { shell: 'echo "$TOKEN"', secrets: ['TOKEN'] },
    { answer: 'Done.' },
  ])
  assert.equal((await service.untilEnded(id)).status, 'completed')
  const report = (await service.log(id))
    .filter(({ tool_name }) => tool_name === 'shell')
    .map((entry) => entry.observation)
  const digestsIn = (text: unknown) => String(text).match(/\b[0-9a-f]{64}\b/g)
  const none = digestOf('')
  assert.deepEqual(digestsIn(report[0]), [digestOf(values.TOKEN), none, digestOf(values.EVERYWHERE)])
  assert.deepEqual(digestsIn(report[1]), [none, none, digestOf(values.EVERYWHERE)])
  assert.match(String(report[2]), /There is no secret UNKNOWN\. There are: EVERYWHERE, OTHER, TOKEN\./)
  assert.match(String(report[3]), /^\[redacted:TOKEN\]$/m)
})

/**
 * The users whose processes on this machine show a value: on their command lines to everybody, of their environment to
 * their user.
 */
function usersShowing(value: string, what: 'cmdline' | 'environ'): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        if (!readFileSync(`/proc/${pid}/${what}`).includes(value)) return []
        return Number(/^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
      } catch {
        // It has ended meanwhile.
        return []
      }
    })
}
const filesShowing = (value: string) =>
  globSync(`${service.dataDir}/**/*`, { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => {
      try {
        return readFileSync(file).includes(value)
      } catch (error) {
        // What is written aside and then renamed has gone meanwhile.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
        throw error
      }
    })

const wait = 'touch begun; until test -e go; do sleep 0.05; done'

test('while a command has a secret, no command line and no file shows it, and no process of another user', async () => {
  const { id } = await start([
    { shell: wait, secrets: ['TOKEN'] },
    { shell: 'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -c ^TOKEN=' },
    { answer: 'Done.' },
  ])
  await until(() => filesIn(workspaceOf(id)).includes('begun'), 'the command is at work')
  assert.deepEqual(usersShowing(values.TOKEN, 'cmdline'), [])
  const sandboxUid = process.getuid?.() === 0 ? 64_900 : process.getuid?.()
  assert.deepEqual([...new Set(usersShowing(values.TOKEN, 'environ'))], [sandboxUid])
  assert.deepEqual(filesShowing(values.TOKEN), [])
  writeFileSync(path.join(workspaceOf(id), 'go'), '')
  await service.untilEnded(id)
  assert.deepEqual(usersShowing(values.TOKEN, 'environ'), [])
  const [, other] = (await service.log(id)).filter(({ tool_name }) => tool_name === 'shell')
  assert.match(String(other?.observation), /^0$/m)
})

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

test('no row of the database holds a value, in any encoding', async () => {
  const tables = await rows<{ name: string }>(
    db,
    `select format('%I', relname) as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`,
  )
  const dump: string[] = []
  for (const { name } of tables)
    for (const { text } of await rows<{ text: string }>(db, `select t::text as text from ${name} t`)) dump.push(text)
  const text = dump.join('\n')
  assert.match(text, /echo .*TOKEN/)
  for (const value of Object.values(values))
    for (const [how, encode] of Object.entries(encodings)) assert.ok(!text.includes(encode(value) as string), how)
})

const run = promisify(execFile)
/** Another process of the service, with another secret key, until it ends. */
async function startWith(word: string, more: Record<string, string>): Promise<string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-key-'))
  after(() => rmSync(folder, { recursive: true, force: true }))
  const settings = { PATH: process.env.PATH, DATABASE_URL: db.url, RUNWRIGHT_DATA_DIR: folder, PORT: '0', ...more }
  const ended = await run(process.execPath, [path.join(programs, 'server/src/main.ts'), word], { env: settings }).catch(
    (error: { stdout: string; stderr: string }) => error,
  )
  return `${ended.stdout}${ended.stderr}`
}

test('a wrong secret key is told at the start and by the doctor, and the one before opens what it has sealed', async () => {
  const next = randomBytes(32).toString('base64')
  const lost = /cannot be read: those of one organization were sealed with another secret key/
  assert.match(await startWith('api', { RUNWRIGHT_SECRET_KEY: next }), lost)
  assert.match(
    await startWith('doctor', { RUNWRIGHT_SECRET_KEY: next }),
    /^Secrets: .*those of one organization were sealed/m,
  )
  const both = { RUNWRIGHT_SECRET_KEY: next, RUNWRIGHT_SECRET_KEY_PREVIOUS: env.RUNWRIGHT_SECRET_KEY }
  assert.match(await startWith('doctor', both), /^Secrets: can be read$/m)
  assert.match(await startWith('forget-secrets', env), /Nothing was removed/)
})

test('a service that is killed while a command has a secret leaves nothing that shows it', async () => {
  const { id } = await start([{ shell: wait, secrets: ['OTHER'] }])
  await until(() => usersShowing(values.OTHER, 'environ').length > 0, 'the command is at work')
  await until(() => filesIn(workspaceOf(id)).includes('begun'), 'it has begun')
  service.child.kill('SIGKILL')
  await until(() => usersShowing(values.OTHER, 'environ').length === 0, 'its processes are gone')
  assert.deepEqual(usersShowing(values.OTHER, 'cmdline'), [])
  assert.deepEqual(filesShowing(values.OTHER), [])
})
