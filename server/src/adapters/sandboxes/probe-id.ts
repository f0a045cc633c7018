/** Ids of the sandboxes in which a service tests its machine. Each names its service, so that others know what one has left that was killed. */
import { randomUUID } from 'node:crypto'
import { statSync } from 'node:fs'
import path from 'node:path'
import { startTimeOf } from '#base/read-process.ts'
import { ownRecord } from './service-record.ts'

const pattern = /^probe-([0-9a-z]+)-([0-9a-z]+)-([0-9a-z]+)-[0-9a-f]{4}$/
/** A test takes seconds. So long it may take where nobody can tell whether its service is there. */
const OVERDUE_MS = 60_000

export function newProbeId(): string {
  const { pid, startTime, namespace } = ownRecord()
  return `probe-${[pid, startTime, namespace].map(shortly).join('-')}-${randomUUID().slice(0, 4)}`
}

/** Whether it is the sandbox of a test that nobody makes any more. */
export function isLeftProbe(folder: string, id: string): boolean {
  if (!id.startsWith('probe-')) return false
  const [, pid = '', startTime, namespace] = pattern.exec(id) ?? []
  const own = ownRecord()
  if (own.startTime !== '' && namespace === shortly(own.namespace))
    return shortly(startTimeOf(Number.parseInt(pid, 36))) !== startTime
  const madeAt = statSync(path.join(folder, id), { throwIfNoEntry: false })?.mtimeMs
  return madeAt !== undefined && madeAt + OVERDUE_MS < Date.now()
}

/** The number in it, in few characters: paths of sockets have to be short. */
const shortly = (of: number | string): string => Number(String(of).replace(/\D/g, '')).toString(36)
