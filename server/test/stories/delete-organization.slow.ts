import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { one, rows } from '#db/pool.ts'
import { findInDatabase, findInFolder } from '#test/find-canary.ts'
import { openStream } from '#test/open-stream.ts'
import { unique } from '#test/make.ts'
import { runCommandLine } from '#test/run-command-line.ts'
import { startService, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url })

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + 90_000; !(await isSo()); await sleep(100)) assert.ok(Date.now() < end, service.said())
}

/** What the command line says. */
const runwright = (organizationId: number, ...words: string[]) =>
  runCommandLine(service, words, { organizationId }).said

/** An organization with a repository, a run in it that leaves the word, and one that has not ended. */
async function fill(word: string) {
  const { id } = await service.call<{ id: number }>('POST', '/v1/organizations', { name: word })
  const at = `/v1/organizations/${id}`
  const repo = await service.call<{ id: number }>('POST', `${at}/repos`, { name: word })
  const start = (script: object[], more: object = {}) =>
    service.call<RunAnswer>('POST', `${at}/agent/run`, {
      prompt: word,
      ...more,
      agent_type: 'scripted',
      metadata: { script },
    })
  const script = [
    { write: { path: `${word}.txt`, content: word } },
    { shell: `yes ${word} | head -c 600000` },
    { answer: word, title: word, body: word },
  ]
  const done = await start(script, { repo_id: repo.id })
  await until(async () => (await service.call<RunAnswer>('GET', `${at}/agent/run/${done.id}`)).status === 'completed')
  const going = await start([{ shell: 'sleep 300' }])
  await until(
    async () => (await service.call<RunAnswer>('GET', `${at}/agent/run/${going.id}`)).status === 'in_progress',
  )
  return { id, at, repo, going }
}

test('an organization is deleted while it runs and while a process is killed, and nothing is left of it', async () => {
  const [word, other] = [unique('canary'), unique('canary')]
  const { id, at, going } = await fill(word)
  const kept = await fill(other)
  const folder = path.join(service.dataDir, 'git', String(id))
  assert.ok(existsSync(folder))
  assert.ok(findInFolder(service.dataDir, word).length > 0)
  const headers = { authorization: `Bearer ${service.token}` }
  const stream = await openStream(`${service.url}${at}/agent/run/${going.id}/logs/stream`, headers)
  await stream.next()
  const victim = await service.startApi()
  assert.match(runwright(id, 'delete-organization', '--confirm', other), /pass its name as "confirm"/)
  assert.equal(runwright(id, 'delete-organization', '--confirm', word), `Organization ${word}  deleted\n`)
  assert.match(runwright(id, 'delete-account', '--confirm', 'Administrator'), /account of the operator/)
  assert.equal((await service.ask('GET', `${at}/agent/runs`)).status, 403)
  await until(async () => (await rows(db, 'select from deleted_runs where organization_id = $1', [id])).length > 0)
  victim.child.kill('SIGKILL')
  while (await stream.next().catch(() => undefined));
  await until(async () => {
    // As if an hour had passed since bytes were stored.
    await db.query(`update blobs set look_at = now() where organization_id = $1`, [id])
    await db.query(`update organizations set empty_at = now() where empty_at is not null`)
    return (await rows(db, 'select from organizations where id = $1', [id])).length === 0
  })
  assert.deepEqual(await findInDatabase(db, word), [])
  assert.equal(existsSync(folder), false)
  await until(async () => findInFolder(service.dataDir, word).length === 0)
  const { status } = await one<{ status: string }>(
    db,
    'select status from run_heads where organization_id = $1 and run_id = $2',
    [kept.id, kept.going.id],
  )
  assert.equal(status, 'in_progress')
  assert.equal((await service.ask('GET', `${kept.at}/repos/${kept.repo.id}`)).status, 200)
})
