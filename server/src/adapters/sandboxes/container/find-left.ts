import type { LeftOutside } from '#adapters/sandboxes/local-launch.ts'
import { sandboxOf } from './container-labels.ts'
import type { Engine, ListedContainer } from './engine.ts'

/** Who runs containers or Pods. */
export type Runner = Pick<Engine, 'list' | 'remove'>

export async function removeAll(runner: Runner, labels: Record<string, string>): Promise<void> {
  for (const { id } of await runner.list(labels)) await runner.remove(id)
}

export type FindLeft = { labels: Record<string, string>; isLeft: (container: ListedContainer) => boolean }

/** Removes what nobody needs any more, and tells of the others. Nothing where their runner does not answer. */
export async function findLeft(runner: Runner, { labels, isLeft }: FindLeft): Promise<LeftOutside[]> {
  const listed = await runner.list(labels).catch(() => [])
  for (const container of listed) if (isLeft(container)) await runner.remove(container.id).catch(() => {})
  return listed
    .filter((container) => !isLeft(container) && sandboxOf(container) !== '')
    .map((container) => ({ id: sandboxOf(container), remove: () => runner.remove(container.id) }))
}
