import { createHash } from 'node:crypto'
import path from 'node:path'
import { isOwn, isServiceGone, ownRecord, readServiceRecord } from '#adapters/sandboxes/service-record.ts'
import { isWarmId } from '#adapters/sandboxes/warm-files.ts'
import type { ListedContainer } from './engine.ts'

const place = 'runwright.place'
const sandbox = 'runwright.sandbox'
/** In its place on those that were made ready before anybody needed one: by their files alone is it known whose they are. */
const warm = 'runwright.warm'
export const ownerLabel = 'runwright.owner'
const deadline = 'runwright.deadline'

/** A sandbox is stopped at its lifetime by its service; after this much more nobody has. */
const OVERDUE_MS = 60_000

/** Another service on this machine may have sandboxes of the same ids in another folder. */
export const placeLabel = (folder: string): Record<string, string> => ({
  [place]: createHash('sha256').update(path.resolve(folder)).digest('hex').slice(0, 16),
})

export const sandboxLabels = (folder: string, id: string): Record<string, string> => ({
  ...placeLabel(folder),
  [isWarmId(id) ? warm : sandbox]: id,
})

type Labels = { folder: string; id: string; lifetimeMs: number }

/** Whose a container is, and until when, for whoever finds it. */
export function labelsOf({ folder, id, lifetimeMs }: Labels): Record<string, string> {
  return {
    ...sandboxLabels(folder, id),
    [ownerLabel]: JSON.stringify(ownRecord()),
    [deadline]: String(Date.now() + lifetimeMs),
  }
}

/** Empty for one that is no sandbox. */
export const sandboxOf = ({ labels }: ListedContainer): string => labels[sandbox] ?? labels[warm] ?? ''

/** Whether nobody needs it any more: its service is gone or has forgotten it, or its time is up. */
export function isLeft({ id, labels, hasEnded }: ListedContainer, held: ReadonlySet<string>): boolean {
  if (held.has(id)) return false
  if (Number(labels[deadline]) + OVERDUE_MS < Date.now()) return true
  const owner = readServiceRecord(labels[ownerLabel])
  return isServiceGone(owner) || (hasEnded && isOwn(owner))
}
