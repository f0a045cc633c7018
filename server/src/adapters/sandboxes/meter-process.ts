/**
 * The meter: a process of its own that looks at what sandboxes use, so that the service never waits for a folder or a
 * process table that a sandbox has filled. It ends with the service.
 */
import { measureDisk } from './measure-disk.ts'
import { measureProcesses } from './measure-processes.ts'
import type { LookAnswer, LookRequest } from './meter.ts'

/** While it is at work it says so, once in this time. */
const ALIVE_MS = 2_000
/** Walks through folders at once. The others wait: together they would be slower. */
const WALKS_MAX = 4

let atWork = 0
let walks = 0
const waiting: (() => void)[] = []

process.on('disconnect', () => process.exit())
process.on('message', (request: LookRequest) => void answer(request))
setInterval(() => atWork > 0 && say({}), ALIVE_MS).unref()

async function answer(request: LookRequest): Promise<void> {
  atWork++
  try {
    const [disk, processes] = await Promise.all([lookAtDisk(request), lookAtProcesses(request)])
    say({ id: request.id, use: { diskBytes: disk + processes.deletedBytes, ...processes } })
  } catch (error) {
    say({ id: request.id, fault: error instanceof Error ? error.message : String(error) })
  } finally {
    atWork--
  }
}

function say(message: LookAnswer): void {
  // The service may have left at this moment.
  process.send?.(message, () => {})
}

async function lookAtDisk({ disk }: LookRequest): Promise<number> {
  if (!disk) return 0
  if (walks >= WALKS_MAX) await new Promise<void>((resolve) => waiting.push(resolve))
  walks++
  try {
    return await measureDisk(disk)
  } finally {
    walks--
    waiting.shift()?.()
  }
}

async function lookAtProcesses({ processes }: LookRequest) {
  return processes ? measureProcesses(processes) : { memoryBytes: 0, openFiles: 0, deletedBytes: 0 }
}
