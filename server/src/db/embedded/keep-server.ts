import type { Logger } from '#base/logger.ts'
import { pause } from '#base/concurrency/pause.ts'
import { bringUp, type Running } from './bring-up.ts'
import type { Cluster } from './cluster.ts'
import { answers, isServerOf, type Server } from './find-server.ts'

const lookMs = 100
/** How often it is asked for a sign of life, and how often in a row it may give none before that is said. */
const probeMs = 5_000
const silentMax = 2
/** A server that ends soon after its start is started again later each time, up to the second of these. */
const restMs = 50
const restMsMax = 2_000
const settledMs = 30_000

export type KeptServer = AsyncDisposable & {
  /** The one that runs, or the last one. */
  server(): Server
}

/**
 * Watches a server, also one that this process only adopted, and has one run again when it ends, until it is disposed.
 * One that does not answer is not killed: it may be busy, or frozen with work in hand; that is only said.
 */
export function keepServer(
  cluster: Cluster,
  { first, logger }: { first: Running; logger: Logger | undefined },
): KeptServer {
  const stop = new AbortController()
  const { signal } = stop
  let running = first
  const keep = async () => {
    for (let shortLives = 0; ;) {
      const begun = performance.now()
      await untilGone(cluster, { running, signal, logger })
      if (signal.aborted) return
      const endedAt = performance.now()
      shortLives = endedAt - begun > settledMs ? 0 : shortLives + 1
      logger?.warn({ pid: running.server.pid }, 'the embedded PostgreSQL has ended; it is started again')
      await pause(Math.min(restMsMax, restMs * 2 ** shortLives), signal)
      const next = await bringUpAgain(cluster, { signal, logger })
      if (!next) return
      running = next
      const { pid, port } = next.server
      const durationMs = Math.round(performance.now() - endedAt)
      logger?.info({ pid, port, isAdopted: next.isAdopted, durationMs }, 'the embedded PostgreSQL is back')
    }
  }
  const keeping = keep()
  return {
    server: () => running.server,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await keeping
    },
  }
}

type Watch = { signal: AbortSignal; logger: Logger | undefined }

async function untilGone(cluster: Cluster, { running, signal, logger }: Watch & { running: Running }): Promise<void> {
  const { server } = running
  let silent = 0
  let probedAt = performance.now()
  while (!signal.aborted && isServerOf(server.pid, cluster.data)) {
    await pause(lookMs, signal)
    if (performance.now() - probedAt < probeMs || signal.aborted) continue
    const isAnswering = await answers(cluster, server.port)
    probedAt = performance.now()
    if (isAnswering && silent >= silentMax) logger?.info({ pid: server.pid }, 'the embedded PostgreSQL answers again')
    silent = isAnswering ? 0 : silent + 1
    if (silent === silentMax)
      logger?.error({ pid: server.pid }, 'the embedded PostgreSQL runs and does not answer; it is waited for')
  }
}

/** Never gives up: what keeps it from starting, such as a full disk, may be removed. Undefined when it is told to end. */
async function bringUpAgain(cluster: Cluster, { signal, logger }: Watch): Promise<Running | undefined> {
  for (let tries = 0; !signal.aborted; tries++) {
    try {
      return await bringUp(cluster, signal)
    } catch (error) {
      if (signal.aborted) return undefined
      if (tries === 0) logger?.error({ err: error }, 'the embedded PostgreSQL does not start; it is tried again')
      await pause(Math.min(restMsMax, restMs * 2 ** tries), signal)
    }
  }
  return undefined
}
