import { createHash } from 'node:crypto'
import { readlinkSync } from 'node:fs'
import path from 'node:path'
import { isRunning, recordOf } from '#adapters/sandboxes/process-record.ts'
import type { ListedContainer } from './engine.ts'

const place = 'runwright.place'
const sandbox = 'runwright.sandbox'
export const ownerLabel = 'runwright.owner'
const deadline = 'runwright.deadline'

/** A sandbox is stopped at its lifetime by its service; after this much more nobody has. */
const OVERDUE_MS = 60_000

/** Another service on this machine may have sandboxes of the same ids in another folder. */
export const placeLabel = (folder: string): Record<string, string> => ({
  [place]: createHash('sha256').update(path.resolve(folder)).digest('hex').slice(0, 16),
})

export const sandboxLabels = (folder: string, id: string) => ({ ...placeLabel(folder), [sandbox]: id })

type Labels = { folder: string; id: string; lifetimeMs: number }

/** Whose a container is, and until when, for whoever finds it. */
export function labelsOf({ folder, id, lifetimeMs }: Labels): Record<string, string> {
  return {
    ...sandboxLabels(folder, id),
    [ownerLabel]: JSON.stringify({ ...recordOf(process.pid), namespace: ownNamespace() }),
    [deadline]: String(Date.now() + lifetimeMs),
  }
}

/** Empty for one that is no sandbox. */
export const sandboxOf = ({ labels }: ListedContainer): string => labels[sandbox] ?? ''

/** Whether nobody needs it any more: its service is gone or has forgotten it, or its time is up. */
export function isLeft({ id, labels, hasEnded }: ListedContainer, held: ReadonlySet<string>): boolean {
  if (held.has(id)) return false
  if (Number(labels[deadline]) + OVERDUE_MS < Date.now()) return true
  const { namespace, ...record } = readOwner(labels[ownerLabel])
  // A process of another namespace has a number that says nothing here.
  if (namespace !== ownNamespace()) return false
  return !isRunning(record) || (hasEnded && record.pid === process.pid)
}

function readOwner(text = '{}') {
  const none = { pid: 0, startTime: '', boot: '', namespace: '' }
  try {
    return { ...none, ...(JSON.parse(text) as Partial<typeof none>) }
  } catch {
    return none
  }
}

function ownNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}
