import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createWebSocketStream } from 'ws'
import type { Hello } from '#adapters/sandboxes/remote/events.ts'
import { FolderStore } from '#adapters/sandboxes/remote/folder-store.ts'
import { serveSandboxes } from '#adapters/sandboxes/remote/serve-sandboxes.ts'
import { acceptSession, protocol } from '#adapters/sandboxes/remote/wire.ts'
import type { Config } from '#base/config/config.ts'
import type { Logger } from '#base/logger.ts'
import { readMachineId } from '#base/machine-id.ts'
import { sweepTemporaryFolders } from '#base/temporary-folder.ts'
import { version } from '#base/version.ts'
import { lookAtDisk } from '#worker/health/look-at-disk.ts'
import { NodeUnfit } from '#worker/health/node-unfit.ts'
import { signalled } from '#process/signalled.ts'
import { requireSandbox } from '#process/start-worker.ts'
import { refusedCode } from './connection.ts'
import { dialService, wrongToken, wrongTokenStatus, type ServiceAddress } from './dial-service.ts'
import { openMachine } from './open-machine.ts'

/** Between two tries to connect, at first and at most; none is made at the same moment as those of others. */
const PAUSE_MS_MIN = 250
const PAUSE_MS_MAX = 5_000
/** A connection that has lasted so long was a good one, whatever ended it. */
const GOOD_MS_MIN = 1_000
/** After the service has refused a worker that it took before: somebody has to change something first. */
const REFUSED_PAUSE_MS = 60_000

/**
 * A worker that has neither the database nor a key of the service: it offers sandboxes over one connection that it opens itself, and
 * the service does all else. Runs until it is told to end. Rejects with a sentence where it cannot begin.
 */
export async function runRemoteWorker(config: Config): Promise<void> {
  const { address, logger, sandboxes, temporaryFolder } = openMachine(config, { role: 'remote-worker' })
  await sweepTemporaryFolders(temporaryFolder)
  await requireSandbox({ sandboxes, config })
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
  const line = `Runwright ${version} is ready: remote worker for ${address.serviceUrl}, data in ${config.dataDir}.\n`
  let isReady = false
  const serve = {
    provider: sandboxes,
    folders: new FolderStore(path.join(config.dataDir, 'folders')),
    hello,
    lookAtDisk: () => describeDisk({ config, temporaryFolder }),
    onTaken: () => {
      if (!isReady) process.stdout.write(line)
      isReady = true
    },
  }
  const ending = new AbortController()
  const signaled = signalled(() => process.exit(1))
  void signaled.then(() => ending.abort())
  const connection = { address, logger, serve, ending: ending.signal }
  for (let failures = 0; !ending.signal.aborted; failures++) {
    const { refusal, lastedMs } = await stayConnected(connection)
    if (refusal && !isReady) throw new Error(refusal)
    if (lastedMs >= GOOD_MS_MIN) failures = 0
    const restMs = refusal ? REFUSED_PAUSE_MS : Math.min(PAUSE_MS_MIN * 2 ** failures, PAUSE_MS_MAX)
    // Nothing else keeps this process alive meanwhile.
    await sleep(restMs * (0.5 + Math.random() / 2), undefined, { signal: ending.signal }).catch(() => {})
  }
  await sandboxes.close()
}

type StayConnected = {
  address: ServiceAddress
  logger: Logger
  serve: Parameters<typeof serveSandboxes>[1]
  ending: AbortSignal
}

/** From one connection to its end, after which nothing runs in a sandbox here. */
async function stayConnected({ address, logger, serve, ending }: StayConnected) {
  const socket = dialService(address)
  let refusal: string | undefined
  const closed = new Promise<void>((resolve) =>
    socket.once('close', (code, reason) => {
      if (code === refusedCode) refusal = `The service refuses this worker: ${reason.toString()}`
      resolve()
    }),
  )
  let openedAt: number | undefined
  let leave: () => unknown = () => socket.terminate()
  socket.on('unexpected-response', (_request, response) => {
    const { statusCode: status } = response
    if (status === wrongTokenStatus) refusal = wrongToken
    else logger.warn({ event: 'service_refused', status }, 'the service does not let this worker in now')
    socket.terminate()
  })
  socket.on('error', (error) =>
    logger.warn({ event: 'service_unreachable', err: error }, 'the service cannot be reached'),
  )
  socket.once('open', () => {
    openedAt = performance.now()
    logger.info({ event: 'service_connected' }, 'connected to the service')
    const stream = createWebSocketStream(socket)
    leave = () => stream.destroy()
    serveSandboxes(acceptSession(stream), serve)
  })
  const onEnding = () => void leave()
  ending.addEventListener('abort', onEnding, { once: true })
  await closed
  ending.removeEventListener('abort', onEnding)
  if (refusal) logger.warn({ event: 'service_refused' }, refusal)
  else if (openedAt !== undefined) logger.info({ event: 'service_left' }, 'the connection to the service ended')
  return { refusal, lastedMs: openedAt === undefined ? 0 : performance.now() - openedAt }
}

async function describeDisk(on: Parameters<typeof lookAtDisk>[0]): Promise<{ fault: string; message: string } | null> {
  try {
    await lookAtDisk(on)
    return null
  } catch (error) {
    return { fault: error instanceof NodeUnfit ? error.fault : 'disk_fault', message: (error as Error).message }
  }
}
