import { setTimeout as sleep } from 'node:timers/promises'
import type { Cluster } from './cluster.ts'
import { endOrphans } from './end-orphans.ts'
import { findServer, type Server } from './find-server.ts'
import { removeForeignLock } from './remove-foreign-lock.ts'
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
