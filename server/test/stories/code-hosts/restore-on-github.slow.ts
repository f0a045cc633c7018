import assert from 'node:assert/strict'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { emptyPlace } from '#test/empty-place.ts'
import { operate } from '#test/operate.ts'
import { startService, stopProcess, untilReleased, type RunAnswer, type Service } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { testFolder } from '#test/test-git.ts'
import { until } from '#test/test-sandboxes.ts'
import { priceList } from './price-list.ts'
import { startOnGitHub } from './start-on-github.ts'

const key = { RUNWRIGHT_SECRET_KEY: 'the key that is kept beside the backup' }
const db = await testDb()
const { ada, service, repo } = await startOnGitHub({
  databaseUrl: db.url,
  role: 'api',
  files: priceList,
  env: key,
  defer: after,
})
const folder = await testFolder()
const more = (n: number) => ({ shell: `echo ${n} > more-${n}.txt` })
const play = (...script: object[]) => service.play([...script, { answer: 'Done.' }], { repo_id: repo.id })
const pulls = async () => {
  const found = await ada.ask<{ number: number; head: { sha: string } }[]>(
    'GET',
    '/repos/acme/price-list/pulls?state=all',
  )
  return found.map(({ number, head }) => ({ number, commit: head.sha })).toSorted((a, b) => a.number - b.number)
}

test('what runs have done at GitHub since is found by those that are restored: nothing is done twice or overwritten', async () => {
  // One stands in the middle of its work, and its worker has no room for another.
  const other = await service.startWorker({ RUNWRIGHT_WORKER_SLOTS: '1' })
  const atWork = await play(more(1), { shell: untilReleased })
  await service.untilLogged(atWork.id, 2)
  // One has opened its pull request, and the worker was lost before it could say so.
  const worker = await service.startWorker({ RUNWRIGHT_CRASH_AT: 'pull.opened' })
  const opened = await play(more(2))
  await once(worker, 'exit')
  const target = path.join(folder, 'backup')
  await operate(['backup', target], { ...key, DATABASE_URL: db.url, RUNWRIGHT_DATA_DIR: service.dataDir })
  service.release(atWork.id)
  for (const { id } of [atWork, opened]) assert.equal((await service.untilEnded(id)).status, 'completed')
  for (const child of [other, service.child]) await stopProcess(child)
  const before = await pulls()
  assert.equal(before.length, 2)

  const place = await emptyPlace(db)
  await operate(['restore', target], { ...key, ...place.env })
  const env = { ...key, ...place.env, RUNWRIGHT_PRIVATE_HOSTS: '127.0.0.1' }
  const restored = await startService({ databaseUrl: place.env['DATABASE_URL'] ?? '', env })
  const first = await restored.untilEnded(opened.id)
  assert.deepEqual([first.status, numbersOf(first)], ['completed', [before[0]?.number]])
  const second = await endInside(restored, path.join(place.dataDir, 'sandboxes', `run-1-${atWork.id}`), atWork.id)
  assert.equal(second.error?.code, 'push_rejected')
  assert.match(second.error?.message ?? '', /its own work from after the backup that the service was restored from/)
  assert.deepEqual(await pulls(), before)
})

const numbersOf = (run: RunAnswer) => run.github_pull_requests.map(({ number }) => number)

/** Lets a run go on that waits in a work tree of its own. */
async function endInside(restored: Service, sandbox: string, id: number): Promise<RunAnswer> {
  const release = () => {
    try {
      writeFileSync(path.join(sandbox, 'workspace/.git/released'), '')
    } catch {
      // It is not made yet.
    }
  }
  await until(async () => {
    release()
    return /completed|failed/.test((await restored.untilRun(id, () => true)).status)
  }, 'the run has ended')
  return restored.untilRun(id, () => true)
}
