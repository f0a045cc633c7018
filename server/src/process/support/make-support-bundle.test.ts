import assert from 'node:assert/strict'
import { createReadStream, existsSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { readConfig } from '#base/config/config.ts'
import { watchNames } from '#base/config/find-misspelled.ts'
import type { Environment } from '#base/config/open-reader.ts'
import { settingKinds } from '#base/config/setting-kinds.ts'
import { readArchive } from '#test/read-archive.ts'
import { testApp } from '#test/test-app.ts'
import { testFolder } from '#test/test-git.ts'
import { makeFullRun } from '#test/make-full-run.ts'
import { makeWorld } from '#test/world.ts'
import { makeSupportBundle } from './make-support-bundle.ts'

const testing = await testApp()
const { app } = testing
const { connectionString: databaseUrl } = app.pool.options as { connectionString: string }
const folder = await testFolder()

/** Looks like nothing that is redacted by its form. */
const canary = (word: string) => `canaryof${word}`.padEnd(40, 'q')
const words = [
  'adminword',
  'secretword',
  'previousword',
  'nextword',
  'anthropicword',
  'openaiword',
  'googleword',
  'clientword',
  'clientid',
  'traceword',
  'pathword',
  'domainword',
  'hostword',
  'logword',
  'queryword',
  'userword',
]

const environment = (): Environment => ({
  DATABASE_URL: databaseUrl,
  RUNWRIGHT_DATA_DIR: app.config.dataDir,
  RUNWRIGHT_ADMIN_TOKEN: canary('adminword'),
  RUNWRIGHT_SECRET_KEY: canary('secretword'),
  RUNWRIGHT_SECRET_KEY_PREVIOUS: canary('previousword'),
  RUNWRIGHT_SECRET_KEY_NEXT: canary('nextword'),
  ANTHROPIC_API_KEY: canary('anthropicword'),
  OPENAI_API_KEY: canary('openaiword'),
  GOOGLE_GENERATIVE_AI_API_KEY: canary('googleword'),
  OPENAI_BASE_URL: `https://${canary('userword')}:${canary('userword')}@models.example/v1?key=${canary('queryword')}`,
  RUNWRIGHT_OIDC_ISSUER: 'https://id.example/realm',
  RUNWRIGHT_OIDC_CLIENT_ID: canary('clientid'),
  RUNWRIGHT_OIDC_CLIENT_SECRET: canary('clientword'),
  RUNWRIGHT_OIDC_EMAIL_DOMAINS: `${canary('domainword')}.example`,
  RUNWRIGHT_PRIVATE_HOSTS: `${canary('hostword')}.example`,
  RUNWRIGHT_IMPORT_PATHS: `/${canary('pathword')}`,
  OTEL_EXPORTER_OTLP_ENDPOINT: `https://traces.example/${canary('traceword')}`,
  RUNWRIGHT_WORKER_SLOTS: '3',
  PORT: '9',
})

/** The files of a bundle, and all of them as one text. */
async function make(env: Environment, options: { name: string; log?: string }) {
  const output = path.join(folder, options.name)
  const summary = await makeSupportBundle(readConfig(env, { root: folder }), { env, output, log: options.log })
  assert.match(summary, /Look into it before you send it/)
  assert.equal(statSync(output).mode & 0o077, 0)
  const files = await readArchive(createReadStream(output))
  const text = [...files].map(([name, content]) => `${name}\n${String(content)}`).join('\n')
  const of = (name: string) => JSON.parse(String(files.get(`runwright-support/${name}`))) as unknown
  return { files, text, of }
}

const problemOf = (part: unknown) => (part as { problem: string }).problem

/** As it is, and in base64 whatever stands before and after it. */
const forms = (value: string) => [
  value,
  ...[0, 1, 2].map((n) =>
    Buffer.from('x'.repeat(n) + value)
      .toString('base64')
      .slice(n && n + 1, -4),
  ),
]

test('a bundle has what somebody who helps needs, and no secret and nothing of what organizations do', async () => {
  const world = await makeWorld(testing)
  const { organizationId, userId, word, ids, token } = world
  const repoId = Number(ids.repo_id)
  const full = await makeFullRun(app.pool, { word, blobs: app.blobs, steps: 2, organizationId, userId, repoId })
  const { rows: content } = await app.pool.query<{ value: string }>(
    `select name as value from repos where organization_id = $1 union select email from users where email is not null
     union select full_name from users where full_name <> '' union select name from organizations where id = $1
     union select encode(sealed, 'hex') from secrets where organization_id = $1 union select encode(digest, 'hex') from credentials`,
    [organizationId],
  )
  const log = path.join(folder, 'service.log')
  const err = {
    type: 'TypeError',
    message: canary('logword'),
    stack: `TypeError: ${canary('logword')}\n    at run (file:///home/${canary('logword')}/server/src/worker/worker.ts:10:5)`,
  }
  const lines = [
    { level: 'info', msg: canary('logword') },
    {
      level: 'error',
      time: '2026-01-01T00:00:00.000Z',
      event: 'stray_fault',
      msg: `failed with ${canary('adminword')}`,
      err,
      prompt: canary('logword'),
    },
    // As it is where nothing else is said of an error.
    { level: 'fatal', err: { message: canary('logword') }, msg: canary('logword') },
  ]
  writeFileSync(log, `half a line\n${lines.map((line) => JSON.stringify(line)).join('\n')}\n`)
  const env = { ...environment(), PORT: new URL(testing.url).port }
  const { files, text, of } = await make(env, { name: 'whole.tar.gz', log })
  assert.deepEqual(
    [...files.keys()].map((name) => path.basename(name)),
    [
      'version.json',
      'settings.json',
      'health.json',
      'metrics.json',
      'migrations.json',
      'database.json',
      'work.json',
      'doctor.json',
      'folders.json',
      'errors.jsonl',
    ],
  )
  const hidden = [...words.map(canary), word, token, full.run.prompt, ...content.map(({ value }) => value)]
  for (const value of hidden.filter(({ length }) => length > 7))
    for (const form of forms(value)) assert.ok(!text.includes(form), value)
  assert.partialDeepStrictEqual(of('settings.json'), {
    RUNWRIGHT_WORKER_SLOTS: '3',
    RUNWRIGHT_SECRET_KEY: 'set',
    RUNWRIGHT_S3_ACCESS_KEY_ID: 'not set',
    OPENAI_BASE_URL: 'https://models.example/v1',
    DATABASE_URL: databaseUrl.replace(/\/\/[^@]*@/, '//').replace(/\?.*/, ''),
  })
  assert.deepEqual((of('migrations.json') as { pending: string[] }).pending, [])
  const { runs } = of('work.json') as { runs: { status: string; count: number }[] }
  assert.ok(
    runs.some(({ status, count }) => status === 'failed' && count > 0),
    JSON.stringify(runs),
  )
  const { tables } = of('database.json') as { tables: { name: string; bytes: number }[] }
  assert.ok(tables.find(({ name }) => name === 'log_entries')!.bytes > 0)
  assert.match(JSON.stringify(of('doctor.json')), /"engines"/)
  const health = of('health.json') as Record<string, { status: number }>
  assert.equal(health['/healthz']?.status, 200)
  assert.ok(health['/statusz']?.status)
  const errors = String(files.get('runwright-support/errors.jsonl')).trim().split('\n')
  assert.equal(errors.length, 2)
  assert.deepEqual(JSON.parse(errors[0]!), {
    time: '2026-01-01T00:00:00.000Z',
    level: 'error',
    event: 'stray_fault',
    msg: 'failed with [redacted:RUNWRIGHT_ADMIN_TOKEN]',
    err: { type: 'TypeError', at: ['server/src/worker/worker.ts:10:5'] },
  })
  await assert.rejects(make(env, { name: 'whole.tar.gz' }), /is there already\. Name another file/)
  assert.ok(existsSync(path.join(folder, 'whole.tar.gz')))
})

test('with the database away, or none at all, the rest is there and says why', async () => {
  const away = await make(
    {
      ...environment(),
      DATABASE_URL: `postgres://${canary('userword')}:${canary('secretword')}@127.0.0.1:9/runwright`,
    },
    { name: 'away.tar.gz' },
  )
  for (const name of ['migrations.json', 'database.json', 'work.json', 'doctor.json'])
    assert.match(problemOf(away.of(name)), /ECONNREFUSED|connect/i, name)
  assert.ok(away.text.includes('"node"'))
  const health = away.of('health.json') as Record<string, { problem: string }>
  assert.match(health['/readyz']?.problem ?? '', /may be stopped/)
  for (const word of ['userword', 'secretword']) assert.ok(!away.text.includes(canary(word)))
  const none = await make(
    { ...environment(), DATABASE_URL: undefined, RUNWRIGHT_DATA_DIR: path.join(folder, 'none') },
    { name: 'none.tar.gz' },
  )
  assert.match(problemOf(none.of('work.json')), /There is no database yet/)
  assert.ok(!existsSync(path.join(folder, 'none')))
})

test('every setting is put into one of the groups that say what of it may be shown', () => {
  const all: Environment = {
    ...environment(),
    RUNWRIGHT_BLOBS: 's3://bucket/prefix',
    RUNWRIGHT_S3_ACCESS_KEY_ID: 'a',
    RUNWRIGHT_S3_SECRET_ACCESS_KEY: 'b',
  }
  const { env, asked } = watchNames(all)
  readConfig(env, { root: folder })
  assert.deepEqual([...asked].sort(), Object.keys(settingKinds).sort())
})
