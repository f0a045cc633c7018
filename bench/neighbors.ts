// What one organization's reads take while another attacks the machine, against the same beside a run that sleeps.
import type pg from 'pg'
import { known, others, type Attack } from '../server/test/stories/neighbors/attacks.ts'
import { describe, openNeighborhood, type Life } from '../server/test/stories/neighbors/neighborhood.ts'

export type BenchNeighbors = { db: pg.Pool & { url: string }; defer: (work: () => Promise<void>) => void }

/** One round has some 150 reads, so that its p99 is the slowest but one: a chance, on a machine that others share. */
const rounds = 3

/** Lines of the report. A control is taken anew before each attack; all of them together are what attacks are held against. */
export async function benchNeighbors({ db, defer }: BenchNeighbors): Promise<string[]> {
  const { live, control } = await openNeighborhood({ db, defer })
  await control()
  const calm: number[] = []
  const lives = new Map<string, Life[]>()
  for (let round = 0; round < rounds; round++) {
    for (const [title, attack] of Object.entries<Attack>({ ...known, ...others })) {
      calm.push(...(await control()).times)
      lives.set(title, [...(lives.get(title) ?? []), await live(attack)])
    }
  }
  const without = describe(calm)
  return [
    `Without an attack, in ${without.reads} reads: ${without.p50} / ${without.p99} / ${without.max} ms.`,
    '',
    '| Meanwhile | reads p50 / p99 / most | p99 against the control | wanted |',
    '|---|---|---|---|',
    ...[...lives].map(([title, all]) => row(title, { all, without })),
  ]
}

function row(title: string, { all, without }: { all: Life[]; without: { p99: number } }): string {
  const { p50, p99, max } = describe(all.flatMap(({ times }) => times))
  const ratio = p99 / without.p99
  const verdict = ratio > 2 ? '≤ 2x, missed' : '≤ 2x'
  const isUnharmed = all.every(({ run, lost }) => run.status === 'completed' && lost === 0)
  const end = isUnharmed ? '' : ' (its run or a lease was harmed)'
  return `| ${title}${end} | ${p50} / ${p99} / ${max} ms | ${ratio.toFixed(2)}x | ${verdict} |`
}
