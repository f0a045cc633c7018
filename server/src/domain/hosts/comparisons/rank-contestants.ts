import { hasEnded } from '#domain/runs/run-head.ts'
import type { Comparison, Contestant } from './comparison.ts'

/** `open`: its run or a judge has not ended. Whoever failed a judge, or has nothing to be judged, has failed. */
export type Outcome = 'open' | 'passed' | 'failed'

/** `rank`: from 1, the same for a tie; null while its outcome is open. */
export type Ranked = { outcome: Outcome; rank: number | null }

/** Those whom all judges passed come first, then what costs less, then what took less time. Answers by the number of the contestant. */
export function rankContestants({ contestants, judges }: Comparison): Map<number, Ranked> {
  const decided = contestants
    .map((contestant) => ({ contestant, outcome: outcomeOf(contestant, judges.length) }))
    .filter(({ outcome }) => outcome !== 'open')
    .toSorted(compare)
  const ranked = new Map<number, Ranked>(contestants.map(({ n }) => [n, { outcome: 'open', rank: null }]))
  let rank = 0
  decided.forEach((one, index) => {
    const before = decided[index - 1]
    if (!before || compare(before, one) !== 0) rank = index + 1
    ranked.set(one.contestant.n, { outcome: one.outcome, rank })
  })
  return ranked
}

/** With no judges, whoever completed has passed. */
export function outcomeOf(contestant: Contestant, judges: number): Outcome {
  if (!hasEnded(contestant)) return 'open'
  if (contestant.status !== 'completed') return 'failed'
  if (judges === 0) return 'passed'
  const { head, commit, verdicts } = contestant
  if (head === null) return 'failed'
  // What it has pushed last is still to be judged.
  if (head !== commit) return 'open'
  if (verdicts.some(({ conclusion }) => conclusion !== null && conclusion !== 'success')) return 'failed'
  return verdicts.length === judges && verdicts.every(({ conclusion }) => conclusion === 'success') ? 'passed' : 'open'
}

type Decided = { contestant: Contestant; outcome: Outcome }

const compare = (one: Decided, other: Decided): number =>
  Number(one.outcome !== 'passed') - Number(other.outcome !== 'passed') ||
  difference(costOf(one), costOf(other)) ||
  difference(secondsOf(one), secondsOf(other))

/** Infinity less itself would be no number. */
const difference = (one: number, other: number): number => (one === other ? 0 : one - other)

/** What has no known price comes after what has one. */
const costOf = ({ contestant }: Decided): number => contestant.usage.costUsd ?? Infinity

const secondsOf = ({ contestant: { startedAt, finishedAt } }: Decided): number =>
  startedAt && finishedAt ? Math.round((finishedAt.getTime() - startedAt.getTime()) / 1_000) : Infinity
