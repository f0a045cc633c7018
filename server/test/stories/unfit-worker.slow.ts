import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { mountDisk } from '#test/mount-disk.ts'
import { startService, type RunAnswer, type Service } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { until } from '#test/test-sandboxes.ts'

const key = { RUNWRIGHT_SECRET_KEY: 'the same secret key in every process' }

async function startApi(): Promise<{ service: Service; db: Awaited<ReturnType<typeof testDb>> }> {
  const db = await testDb()
  return { service: await startService({ databaseUrl: db.url, role: 'api', env: key }), db }
}

const startRuns = ({ play }: Service, count: number) =>
  Promise.all(Array.from({ length: count }, () => play([{ shell: 'echo done > done.txt' }, { answer: 'Done.' }])))

const untilAllEnded = async (service: Service, made: { id: number }[]): Promise<RunAnswer[]> =>
  Promise.all(made.map(({ id }) => service.untilEnded(id, 300_000)))

const statusOf = async (service: Service) => (await service.ask('GET', '/statusz')).text()

const fill = (folder: string) =>
  spawnSync('dd', ['if=/dev/zero', `of=${path.join(folder, 'filler')}`, 'bs=1M'], { stdio: 'ignore' })

test(
  'of a worker whose disk fills, one that cannot reach git and a fit one, the fit one does all runs',
  { timeout: 400_000 },
  async (t) => {
    const disk = mountDisk(400)
    if (!disk) return t.skip('nothing can be mounted here')
    const { service, db } = await startApi()
    await service.startElsewhere({ RUNWRIGHT_DATA_DIR: disk, RUNWRIGHT_WORKER_SLOTS: '2' })
    await service.startElsewhere({ RUNWRIGHT_GIT_URL: 'http://127.0.0.1:1', RUNWRIGHT_WORKER_SLOTS: '2' })
    fill(disk)
    const waiting = await startRuns(service, 1)
    await until(
      async () => /disk is full.*GIT_URL/s.test(await statusOf(service)),
      'both say why they take none',
      20_000,
    )
    await until(
      async () => (await service.untilRun(waiting[0]!.id, () => true))['status_detail'] === 'no_fit_worker',
      'the run says that it waits for a fit worker',
      60_000,
    )
    assert.match(await statusOf(service), /1 worker takes no runs, because its disk is full\./)
    assert.match(await statusOf(service), /because it cannot reach the repositories at RUNWRIGHT_GIT_URL\./)
    await service.startElsewhere({ RUNWRIGHT_WORKER_SLOTS: '6' })
    const runs = await untilAllEnded(service, [...waiting, ...(await startRuns(service, 19))])
    const failed = runs.filter(({ status }) => status !== 'completed')
    assert.deepEqual(failed, [], service.said())

    // With room again it takes runs by itself.
    rmSync(path.join(disk, 'filler'))
    await until(
      async () => (await db.query(`select from workers where unfit <> '{}'`)).rowCount === 1,
      'the worker with room is fit again',
      60_000,
    )
  },
)
