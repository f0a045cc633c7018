import assert from 'node:assert/strict'
import { mkdtempSync, chmodSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { startProcess, startService, stopProcess } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const [key, other] = ['the key of all processes'.padEnd(40, '.'), 'a key that one was given by mistake'.padEnd(40, '.')]
const service = await startService({ databaseUrl: db.url, role: 'api', env: { RUNWRIGHT_SECRET_KEY: key } })

/** Starts one more; what it says when it does not start. */
async function startWith(word: 'api' | 'worker', env: Record<string, string>): Promise<string | undefined> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-key-'))
  chmodSync(folder, 0o711)
  after(() => rm(folder, { recursive: true, force: true }))
  const all = { DATABASE_URL: db.url, RUNWRIGHT_DATA_DIR: folder, RUNWRIGHT_ADMIN_TOKEN: service.token, ...env }
  const { child, ready } = startProcess(word, { env: all, onSaid: () => {} })
  after(() => stopProcess(child))
  const refusal = await ready.then(
    () => undefined,
    (error: Error) => error.message,
  )
  await stopProcess(child)
  return refusal
}

test('a process with another secret key does not start, says which setting, and takes nothing from the others', async () => {
  for (const word of ['api', 'worker'] as const) {
    const refusal = await startWith(word, { RUNWRIGHT_SECRET_KEY: other })
    assert.match(refusal ?? '', /RUNWRIGHT_SECRET_KEY .* is not the key that this database is used with/)
  }
  // Nor one that has made a key of its own, for want of one.
  assert.match((await startWith('api', {})) ?? '', /RUNWRIGHT_SECRET_KEY/)
  const { status } = await service.ask('GET', '/v1/users/me')
  assert.equal(status, 200)
  assert.equal(await startWith('api', { RUNWRIGHT_SECRET_KEY: key }), undefined)
})

test('the key is changed with the one before at hand; from then on the old one alone is refused', async () => {
  assert.equal(await startWith('api', { RUNWRIGHT_SECRET_KEY: other, RUNWRIGHT_SECRET_KEY_PREVIOUS: key }), undefined)
  assert.match((await startWith('api', { RUNWRIGHT_SECRET_KEY: key })) ?? '', /RUNWRIGHT_SECRET_KEY/)
  assert.equal(await startWith('api', { RUNWRIGHT_SECRET_KEY: other }), undefined)
})
