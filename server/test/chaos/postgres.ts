import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded } from '#db/embedded.ts'
import { openPool } from '#db/pool.ts'
import { endAtExit } from './end-at-exit.ts'
import type { Journal } from './journal.ts'

/** A PostgreSQL of the suite's own, which is killed and comes back at the same address. */
export type Postgres = AsyncDisposable & {
  url: string
  isUp(): boolean
  pid(): number
  /** As `kill -9` of the first process, or as `pg_ctl -m immediate`. Resolves when it is back. */
  crash(signal: 'SIGKILL' | 'SIGQUIT', journal: Journal): Promise<void>
}

export async function startPostgres(folder: string): Promise<Postgres> {
  const server = await startEmbedded(folder)
  let [isUp, isOver] = [true, false]
  endAtExit(() => (isOver ? undefined : server.pid))
  return {
    url: server.url,
    isUp: () => isUp,
    pid: () => server.pid,
    crash: async (signal, journal) => {
      const note = (event: 'ready' | 'ended') =>
        journal.write({ kind: 'process', name: 'postgres', pid: server.pid, event, how: signal })
      isUp = false
      const { pid } = server
      process.kill(pid, signal)
      note('ended')
      await untilBack(server.url, () => server.pid !== pid)
      isUp = true
      note('ready')
    },
    [Symbol.asyncDispose]: async () => {
      await server.stop()
      isOver = true
    },
  }
}

/** It is started again by whoever watches it. */
async function untilBack(url: string, isOther: () => boolean): Promise<void> {
  const pool = openPool(url, { connectionsMax: 1 })
  const answers = () =>
    pool.query('select 1').then(
      () => true,
      () => false,
    )
  while (!isOther() || !(await answers())) await sleep(20)
  await pool.end()
}
