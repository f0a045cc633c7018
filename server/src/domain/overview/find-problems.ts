import { limits } from '#base/limits.ts'
import type { Overview } from './read-overview.ts'

/** What keeps runs from getting on, and what an operator should know besides; a sentence each. */
export type Problems = { problems: string[]; warnings: string[] }

export function findProblems({ untaken, orphaned, freeSlots, workers, queued }: Overview): Problems {
  const seconds = (ms: number) => `${ms / 1000} s`
  const problems = [
    ...(untaken
      ? [`${runs(untaken)} queued for more than ${seconds(limits.untakenMs)}, though ${slots(freeSlots)} free.`]
      : []),
    ...(orphaned
      ? [
          `${runs(orphaned)} held by a worker whose lease ended more than ${seconds(limits.orphanedMs)} ago; nobody has taken over.`,
        ]
      : []),
  ]
  const warnings =
    workers === 0 && queued > 0
      ? [`${runs(queued)} queued, and no worker is alive to take ${queued === 1 ? 'it' : 'them'}.`]
      : []
  return { problems, warnings }
}

const runs = (count: number) => (count === 1 ? '1 run is' : `${count} runs are`)
const slots = (count: number) => (count === 1 ? '1 slot is' : `${count} slots are`)
