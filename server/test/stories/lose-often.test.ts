import assert from 'node:assert/strict'
import { execFileSync, type ChildProcess } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url, role: 'api' })
const at = `/v1/organizations/${service.organizationId}`

const start = async (script: object[]): Promise<number> => {
  const body = { prompt: 'Go', agent_type: 'scripted', metadata: { script } }
  return (await service.call<{ id: number }>('POST', `${at}/agent/run`, body)).id
}

async function until(what: string, isSo: () => Promise<boolean> | boolean, ms = 60_000): Promise<void> {
  const deadline = Date.now() + ms
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`waited in vain until ${what}\n${service.said()}`)
    await sleep(20)
  }
}

/** The worker among these that has begun the run's step which lasts, once one has. */
async function holderOf(workers: ChildProcess[], runId: number): Promise<ChildProcess | 'ended'> {
  let found: ChildProcess | 'ended' | undefined
  await until('somebody works at the run, or it has ended', async () => {
    const { rows } = await db.query(
      `select h.status, w.name from run_heads h left join workers w on w.id = h.worker_id
         left join steps s on s.run_id = h.run_id and s.lease_id = h.lease_id and s.kind = 'tool' and s.state = 'started'
       where h.run_id = $1 and (h.status = 'failed' or s.run_id is not null)`,
      [runId],
    )
    found = rows[0]?.status === 'failed' ? 'ended' : workers.find(({ pid }) => rows[0]?.name?.includes(`-${pid}-`))
    return found !== undefined
  })
  return found!
}

test('a run that kills its worker again and again ends, and its neighbours do not notice', async () => {
  const workers = [await service.startWorker(), await service.startWorker()]
  const neighbour = await start([{ shell: 'echo {n}; sleep 0.2', repeat: 30 }, { answer: 'Counted.' }])
  const deadly = await start([{ shell: 'sleep 600' }])
  let kills = 0
  for (;;) {
    const holder = await holderOf(workers, deadly)
    if (holder === 'ended') break
    workers.splice(workers.indexOf(holder), 1)
    holder.kill('SIGKILL')
    kills++
    assert.ok(kills <= 4, 'it is not tried for ever')
    workers.push(await service.startWorker())
  }
  // The first try made the workspace, which is progress; the next three made none.
  assert.equal(kills, 4)
  const run = await service.untilEnded(deadly)
  assert.partialDeepStrictEqual(run, { status: 'failed', error: { code: 'worker_lost' } })
  assert.equal((await service.log(deadly)).at(-1)?.message_type, 'ERROR')
  assert.equal((await service.untilEnded(neighbour)).status, 'completed')
  assert.equal((await service.log(neighbour)).filter((entry) => entry.message_type === 'ACTION').length, 30)
  for (const worker of workers) worker.kill('SIGTERM')
})

test('a run that cannot be claimed keeps nobody waiting', async () => {
  const poisoned = await start([{ answer: 'Never.' }])
  await db.query(`
    create function poison() returns trigger language plpgsql as $$ begin raise exception 'poisoned'; end $$;
    create trigger poisoned before update on run_heads for each row
      when (new.run_id = ${poisoned} and new.status = 'in_progress') execute function poison()`)
  const others = [await start([{ answer: 'One.' }]), await start([{ answer: 'Two.' }])]
  const worker = await service.startWorker()
  for (const other of others) assert.equal((await service.untilEnded(other)).status, 'completed')
  assert.equal((await service.untilRun(poisoned, () => true)).status, 'queued')
  assert.match(service.said(), /could not claim a run/)
  await db.query('drop trigger poisoned on run_heads')
  await service.call('POST', `${at}/agent/run/${poisoned}/cancel`)
  worker.kill('SIGTERM')
})

test('a run that was claimed without its worker being told is queued again', async () => {
  const worker = await service.startWorker()
  await db.query(`update run_slots set max_running = 0`)
  const id = await start([{ answer: 'Done.' }])
  // As a claim does of which the answer is lost on its way.
  await db.query(
    `with took as (
       update run_heads set status = 'in_progress', claims = claims + 1, lease_id = gen_random_uuid(),
         worker_id = (select max(id) from workers where alive_until > now()) where run_id = $1)
     update run_slots set running = running + 1, max_running = 4`,
    [id],
  )
  assert.equal((await service.untilEnded(id)).status, 'completed')
  assert.match(service.said(), /a claimed run reached no worker/)
  worker.kill('SIGTERM')
})

test('a worker killed in the middle of a tool that left others behind leaves nothing, though no worker comes back', async () => {
  const worker = await service.startWorker()
  const seconds = 900_000 + process.pid
  const id = await start([
    { shell: `setsid sleep ${seconds} & (nohup sleep ${seconds} >/dev/null 2>&1 &); sleep ${seconds}` },
  ])
  const running = () =>
    execFileSync('ps', ['-eo', 'args='], { encoding: 'utf8' })
      .split('\n')
      .filter((line) => line === `sleep ${seconds}`)
  await until('all three are there', () => running().length === 3)
  const place = createHash('sha256').update(path.join(service.dataDir, 'sandboxes')).digest('hex').slice(0, 12)
  const groups = () => globSync(`/sys/fs/cgroup/{,*/,*/*/}{runwright/,}runwright-${place}-run-1-${id}.*`)
  const folders = () => [
    ...readdirSync(path.join(service.dataDir, 'sandboxes')),
    ...readdirSync(path.join(service.dataDir, 'temporary')).filter((name) => name.startsWith(`${worker.pid}-`)),
  ]
  const mounts = () => readFileSync('/proc/mounts', 'utf8').includes(service.dataDir)
  assert.equal(folders().length, 2)
  worker.kill('SIGKILL')
  await service.call('POST', `${at}/agent/run/${id}/cancel`)
  await service.untilEnded(id)
  const left = () => [...running(), ...groups(), ...folders(), ...(mounts() ? ['a mount'] : [])]
  await until('nothing is left', () => left().length === 0).catch((error: Error) =>
    assert.fail(`${left().join(', ')} is left; ${error.message}`),
  )
  assert.ok(existsSync(path.join(service.dataDir, 'sandboxes')))
})
