import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { endOrphans } from './end-orphans.ts'
import { findServer, isServerOf, readPidFile, type Server } from './find-server.ts'
import { freePort, lastPort, startServer } from './start-server.ts'

const againMs = 100
/** What a killed server has left ends by itself within a statement's time; what does not, such as a frozen one, is ended. */
const orphansMs = 8_000

export type Running = { server: Server; isAdopted: boolean }

/**
 * Has a server run over these data: adopts the one that runs, or starts one, where all that wish to may do so at once.
 * What passes is waited for: one that is ending, what a killed one has left, a port that somebody else has taken. Rejects
 * with what PostgreSQL says of the rest, or when the signal is aborted.
 */
export async function bringUp(cluster: Cluster, signal: AbortSignal): Promise<Running> {
  let port = await lastPort(cluster)
  let portsRefused = 0
  const begun = performance.now()
  for (;;) {
    const running = await findServer(cluster, signal)
    if (running) return { server: running, isAdopted: true }
    if (signal.aborted) throw new Error(`PostgreSQL runs in ${cluster.data} and does not answer.`)
    const started = await startServer(cluster, port, signal)
    if ('server' in started) return { server: started.server, isAdopted: false }
    const { refusal, reason } = started
    if (refusal === 'aborted' || refusal === 'other') throw new Error(reason)
    if (refusal === 'running') removeForeignLock(cluster.data)
    if (refusal === 'port' && ++portsRefused > 1) port = await freePort()
    if (refusal === 'orphans' && performance.now() - begun > orphansMs) endOrphans(cluster.data)
    await sleep(againMs)
  }
}

/**
 * After a restart of the machine the number in PostgreSQL's lock may be that of another program, for which PostgreSQL waits in
 * vain. Taken aside before it is looked at a last time, because meanwhile a server may have written its own; that gets it
 * back. PostgreSQL's lock on its shared memory holds all the while.
 */
function removeForeignLock(data: string): void {
  const named = readPidFile(data)
  if (named && isServerOf(named.pid, data)) return
  const file = path.join(data, 'postmaster.pid')
  const aside = `${file}.${process.pid}`
  try {
    fs.renameSync(file, aside)
    const pid = Number(fs.readFileSync(aside, 'utf8').split('\n')[0])
    if (isServerOf(pid, data)) fs.linkSync(aside, file)
    fs.rmSync(aside)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'EEXIST') throw error
  }
}
