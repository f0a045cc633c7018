import { mkdirSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { destination } from 'pino'
import { createWebSocketStream, WebSocket } from 'ws'
import type { Hello } from '#adapters/sandboxes/remote/events.ts'
import { FolderStore } from '#adapters/sandboxes/remote/folder-store.ts'
import { serveSandboxes } from '#adapters/sandboxes/remote/serve-sandboxes.ts'
import { acceptSession, protocol } from '#adapters/sandboxes/remote/wire.ts'
import { openSandboxes } from '#app/open-sandboxes.ts'
import type { Config } from '#base/config/config.ts'
import { openLogger, type Logger } from '#base/logger.ts'
import { readMachineId } from '#base/machine-id.ts'
import { openMetrics } from '#base/telemetry/metrics.ts'
import { openTemporaryFolder } from '#base/temporary-folder.ts'
import { version } from '#base/version.ts'
import { lookAtDisk } from '#worker/health/look-at-disk.ts'
import { NodeUnfit } from '#worker/health/node-unfit.ts'
import { signalled } from '#process/signalled.ts'
import { requireSandbox } from '#process/start-worker.ts'
import { connectPath, messageBytesMax } from './connection.ts'

/** Between two tries to connect, at first and at most; none is made at the same moment as those of others. */
const PAUSE_MS_MIN = 250
const PAUSE_MS_MAX = 5_000
/** The service asks who it is within this time, or is none. */
const HANDSHAKE_MS = 10_000

/**
 * A worker that has neither the database nor a key of the service: it offers sandboxes over one connection that it opens itself, and
 * the service does all else. Runs until it is told to end. Rejects with a sentence where it cannot begin.
 */
export async function runRemoteWorker(config: Config): Promise<void> {
  const { serviceUrl, workerToken } = config
  if (!serviceUrl || !workerToken)
    throw new Error(
      'A remote worker needs RUNWRIGHT_SERVICE_URL, where the service takes remote workers, and RUNWRIGHT_WORKER_TOKEN.',
    )
  const logger = openLogger({ level: config.logLevel, role: 'remote-worker', destination: destination(2) })
  // What the service sends is for the user of sandboxes to read.
  process.umask(0o022)
  mkdirSync(config.dataDir, { recursive: true, mode: 0o711 })
  const sandboxes = openSandboxes(config, { logger, metrics: openMetrics() })
  await requireSandbox({ sandboxes, config })
  const temporaryFolder = openTemporaryFolder(path.join(config.dataDir, 'temporary'))
  const hello: Hello = {
    protocol,
    version,
    name: `${os.hostname()}-${process.pid}`,
    place: readMachineId(config.dataDir),
    slots: Math.max(1, config.workerSlots),
    labels: config.workerLabels,
    provider: sandboxes.name,
    enforcement: sandboxes.enforcement,
  }
  const serve = {
    provider: sandboxes,
    folders: new FolderStore(path.join(config.dataDir, 'folders')),
    hello,
    lookAtDisk: () => describeDisk({ config, temporaryFolder }),
  }
  const ending = new AbortController()
  const signaled = signalled(() => process.exit(1))
  void signaled.then(() => ending.abort())
  const line = `Runwright ${version} is ready: remote worker for ${serviceUrl}, data in ${config.dataDir}.\n`
  let isReady = false
  const onConnected = () => {
    if (!isReady) process.stdout.write(line)
    isReady = true
  }
  for (let failures = 0; !ending.signal.aborted; failures++) {
    const { isRefused, lastedMs } = await stayConnected({
      serviceUrl,
      token: workerToken.reveal(),
      logger,
      serve,
      onConnected,
      ending: ending.signal,
    })
    if (isRefused && !isReady)
      throw new Error(
        'The service does not accept RUNWRIGHT_WORKER_TOKEN: give this worker the one that the service has.',
      )
    if (lastedMs > PAUSE_MS_MAX) failures = 0
    const restMs = Math.min(PAUSE_MS_MIN * 2 ** failures, PAUSE_MS_MAX)
    // Nothing else keeps this process alive meanwhile.
    await sleep(restMs * (0.5 + Math.random() / 2), undefined, { signal: ending.signal }).catch(() => {})
  }
  await sandboxes.close()
}

type StayConnected = {
  serviceUrl: string
  token: string
  logger: Logger
  serve: Parameters<typeof serveSandboxes>[1]
  onConnected: () => void
  ending: AbortSignal
}

/** From one connection to its end, after which nothing runs in a sandbox here. */
async function stayConnected({ serviceUrl, token, logger, serve, onConnected, ending }: StayConnected) {
  const url = new URL(`${serviceUrl}${connectPath}`)
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new WebSocket(url, {
    headers: { authorization: `Bearer ${token}` },
    perMessageDeflate: false,
    maxPayload: messageBytesMax,
    handshakeTimeout: HANDSHAKE_MS,
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  let isRefused = false
  let openedAt: number | undefined
  socket.on('unexpected-response', (_request, response) => {
    isRefused = response.statusCode === 401
    logger.warn({ event: 'service_refused', status: response.statusCode }, 'the service refuses this worker')
    socket.terminate()
  })
  socket.on('error', (error) =>
    logger.warn({ event: 'service_unreachable', err: error }, 'the service cannot be reached'),
  )
  socket.once('open', () => {
    openedAt = performance.now()
    logger.info({ event: 'service_connected' }, 'connected to the service')
    onConnected()
    serveSandboxes(acceptSession(createWebSocketStream(socket)), serve)
  })
  const leave = () => socket.terminate()
  ending.addEventListener('abort', leave, { once: true })
  await closed
  ending.removeEventListener('abort', leave)
  if (openedAt !== undefined) logger.info({ event: 'service_left' }, 'the connection to the service ended')
  return { isRefused, lastedMs: openedAt === undefined ? 0 : performance.now() - openedAt }
}

async function describeDisk(on: Parameters<typeof lookAtDisk>[0]): Promise<{ fault: string; message: string } | null> {
  try {
    await lookAtDisk(on)
    return null
  } catch (error) {
    return { fault: error instanceof NodeUnfit ? error.fault : 'disk_fault', message: (error as Error).message }
  }
}
