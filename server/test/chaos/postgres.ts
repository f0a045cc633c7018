import { setTimeout as sleep } from 'node:timers/promises'
import { startEmbedded, type EmbeddedPostgres } from '#db/embedded.ts'
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
  let server = await startEmbedded(folder)
  let isUp = true
  return {
    url: server.url,
    isUp: () => isUp,
    pid: () => server.pid,
    crash: async (signal, journal) => {
      const note = (event: 'ready' | 'ended') =>
        journal.write({ kind: 'process', name: 'postgres', pid: server.pid, event, how: signal })
      isUp = false
      process.kill(server.pid, signal)
      note('ended')
      const before = server.pid
      while (isAlive(before)) await sleep(10)
      server = await startAgain(folder)
      isUp = true
      note('ready')
    },
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

/** What is left of a killed server keeps the next one from starting until it has seen that its parent is gone. */
async function startAgain(folder: string): Promise<EmbeddedPostgres> {
  const until = Date.now() + 60_000
  for (;;) {
    try {
      return await startEmbedded(folder)
    } catch (error) {
      if (Date.now() > until) throw error
      await sleep(100)
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
