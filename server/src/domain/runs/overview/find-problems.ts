import { limits } from '#base/limits.ts'
import { nodeFaults } from '#domain/runs/workers/node-fault.ts'
import type { Overview } from './read-overview.ts'

/** What keeps runs from getting on, and what an operator should know besides; a sentence each. */
export type Problems = { problems: string[]; warnings: string[] }

export function findProblems({ untaken, orphaned, freeSlots, workers, queued, unfit }: Overview): Problems {
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
  const warnings = [
    ...(workers === 0 && queued > 0
      ? [
          `${runs(queued)} queued, and no worker ${unfit.length ? 'that is alive is fit' : 'is alive'} to take ${queued === 1 ? 'it' : 'them'}.`,
        ]
      : []),
    ...unfit.map(({ fault, workers }) => `${takes(workers)} no runs, because ${nodeFaults[fault]}.`),
  ]
  return { problems, warnings }
}

const runs = (count: number) => (count === 1 ? '1 run is' : `${count} runs are`)
const takes = (count: number) => (count === 1 ? '1 worker takes' : `${count} workers take`)
const slots = (count: number) => (count === 1 ? '1 slot is' : `${count} slots are`)
