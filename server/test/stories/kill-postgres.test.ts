import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkLog, findBackend, findPostgres, untilReady, useService } from '#test/kill-postgres.ts'
import { startService, untilReleased, type RunAnswer } from '#test/service.ts'

const service = await startService({ databaseUrl: '' })
const runs = '/v1/organizations/1/agent/run'

async function kill(find: typeof findPostgres): Promise<void> {
  const pid = find(service)
  assert.ok(pid)
  process.kill(pid, 'SIGKILL')
  while (find(service) === pid) await sleep(10)
}

test('the embedded PostgreSQL is killed under runs at work, and one of its processes: it comes back, and nothing is lost', async () => {
  const script = [{ shell: 'echo before' }, { shell: untilReleased }, { shell: 'echo after' }, { answer: 'Done.' }]
  const run = await service.call<RunAnswer>('POST', runs, {
    prompt: 'Go',
    agent_type: 'scripted',
    metadata: { script },
  })
  await service.untilLogged(run.id, 2)
  const stop = new AbortController()
  const using = useService(service, stop.signal)
  for (const find of [findPostgres, findBackend, findPostgres]) {
    await kill(find)
    await untilReady(service)
    await sleep(500)
  }
  stop.abort()
  const accepted = await using
  service.release(run.id)
  const ended = await service.untilEnded(run.id)
  assert.deepEqual([ended.status, ended.result], ['completed', 'Done.'])
  await checkLog(service, run.id)
  assert.ok(accepted.length > 3)
  for (const id of accepted) assert.equal((await service.untilEnded(id)).status, 'completed')
})

test('it ends with the service', async () => {
  assert.ok(findPostgres(service))
  const ended = new Promise((resolve) => service.child.once('exit', resolve))
  service.child.kill('SIGTERM')
  await ended
  assert.equal(findPostgres(service), undefined)
})
