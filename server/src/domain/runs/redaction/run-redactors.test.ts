import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Secret } from '#base/secrets/secret.ts'
import { createModelProvider } from '#domain/repos/model-providers/create-model-provider.ts'
import { saveSecret } from '#domain/repos/secrets/save-secret.ts'
import { makeSecretBox } from '#test/make.ts'
import { makeHeldRun, makeRun } from '#test/make-run.ts'
import { testDb } from '#test/test-db.ts'
import { RunRedactors } from './run-redactors.ts'

const db = await testDb()
const secretBox = makeSecretBox()
const own = [{ name: 'SERVICE_KEY', value: 'own-4Jd82mXq' }]
const redactors = new RunRedactors({ db, secretBox, own, canaryKeys: [Buffer.alloc(32, 7)] })
const value = 'deploy-9Qw7Zx2L'
const text = `${own[0]!.value} and ${value}`

test('who works at a run knows its secrets and those of the service, and nobody does once the turn has ended', async () => {
  const { holder } = await makeHeldRun(db)
  await saveSecret(db, secretBox, { organizationId: holder.organizationId, repoId: null, name: 'DEPLOY', value })
  {
    using _ = await redactors.open(holder, () => {})
    assert.equal(redactors.of(holder).mask(text), '[redacted:SERVICE_KEY] and [redacted:DEPLOY]')
  }
  assert.equal(redactors.of(holder).mask(text), `[redacted:SERVICE_KEY] and ${value}`)
})

test("another organization's secrets are no secrets of a run", async () => {
  const { holder } = await makeHeldRun(db)
  using opened = await redactors.open(holder, () => {})
  assert.equal(opened.redactor.mask(value), value)
})

test('what a run is given while it works is known from then on, to itself alone', async () => {
  const [{ holder }, other] = await Promise.all([makeHeldRun(db), makeHeldRun(db)])
  using opened = await redactors.open(holder, () => {})
  using _ = await redactors.open(other.holder, () => {})
  await redactors.learn(holder, [{ name: 'RUN_TOKEN', value: 'given-5Tr6Kp1V' }])
  assert.equal(opened.redactor.mask('given-5Tr6Kp1V'), '[redacted:RUN_TOKEN]')
  assert.equal(redactors.of(other.holder).mask('given-5Tr6Kp1V'), 'given-5Tr6Kp1V')
})

test('each run has a canary of its own, the same wherever it goes on', async () => {
  const [one, other] = await Promise.all([makeHeldRun(db), makeRun(db)])
  const { holder } = one
  const again = new RunRedactors({ db, secretBox, own: [], canaryKeys: [Buffer.alloc(32, 7)] })
  const values = redactors.canary(holder)!.secrets.map((secret) => secret.value)
  assert.deepEqual(again.canary(holder), redactors.canary(holder))
  const others = redactors.canary({ organizationId: other.organizationId, runId: other.id })!.secrets
  assert.ok(others.every((secret) => !values.includes(secret.value)))
  const seen: string[] = []
  using opened = await redactors.open(holder, (name) => seen.push(name))
  await redactors.learn(holder, redactors.canary(holder)!.secrets)
  for (const [, content] of redactors.canary(holder)!.files)
    for (const each of values) assert.ok(!opened.redactor.mask(content).includes(each))
  assert.deepEqual([...new Set(seen)].toSorted(), [
    'CANARY_AWS_KEY',
    'CANARY_AWS_KEY_ID',
    'CANARY_DATABASE',
    'CANARY_GITHUB_TOKEN',
  ])
  assert.equal((await redactors.read(holder)).mask(values[0]!), '[redacted:CANARY_AWS_KEY_ID]')
})

test('who reads of a run again gets the same redactor, until its secrets are others', async () => {
  const { holder } = await makeHeldRun(db)
  const { organizationId } = holder
  const first = await redactors.read(holder)
  assert.equal(await redactors.read(holder), first)
  await saveSecret(db, secretBox, { organizationId, repoId: null, name: 'DEPLOY', value })
  const second = await redactors.read(holder)
  assert.equal(second.mask(value), '[redacted:DEPLOY]')
  await saveSecret(db, secretBox, { organizationId, repoId: null, name: 'DEPLOY', value: 'another-8Hn3Wd5Y' })
  const third = await redactors.read(holder)
  assert.deepEqual([third.mask('another-8Hn3Wd5Y'), third.mask(value)], ['[redacted:DEPLOY]', value])
})

test('where the operator wants none there is none', () => {
  const without = new RunRedactors({ db, secretBox, own, canaryKeys: [] })
  assert.equal(without.canary({ organizationId: 1, runId: 1 }), null)
})

test('model providers are read again where their version is another one, and their keys are known from then on', async () => {
  const { holder } = await makeHeldRun(db)
  const { organizationId } = holder
  const add = (name: string) =>
    createModelProvider(db, secretBox, {
      organizationId,
      name,
      kind: 'openai_chat',
      baseUrl: null,
      memberKeysOnly: false,
      key: new Secret(`key-of-${name}-6Hs3Wd9R`),
      models: null,
      inputUsd: null,
      outputUsd: null,
    })
  const namesAt = async (version?: string) =>
    (await redactors.openProviders(holder, version)).items.map(({ name }) => name)
  using opened = await redactors.open(holder, () => {})
  await add('first')
  assert.deepEqual(await namesAt('1'), ['first'])
  await add('second')
  assert.deepEqual(await namesAt('1'), ['first'])
  assert.equal(opened.redactor.mask('key-of-second-6Hs3Wd9R'), 'key-of-second-6Hs3Wd9R')
  assert.deepEqual(await namesAt('2'), ['first', 'second'])
  assert.equal(opened.redactor.mask('key-of-second-6Hs3Wd9R'), '[redacted:model provider second]')
  assert.deepEqual(await namesAt(), ['first', 'second'])
})
