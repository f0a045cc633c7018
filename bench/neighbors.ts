// What one organization's reads take while another attacks the machine, against the same beside a run that sleeps.
import type pg from 'pg'
import { known, others } from '../server/test/stories/neighbors/attacks.ts'
import { openNeighborhood } from '../server/test/stories/neighbors/neighborhood.ts'

export type BenchNeighbors = { db: pg.Pool & { url: string }; defer: (work: () => Promise<void>) => void }

/** Lines of the report. The control is taken anew before each attack. */
export async function benchNeighbors({ db, defer }: BenchNeighbors): Promise<string[]> {
  const { live, control } = await openNeighborhood({ db, defer })
  await control()
  const lines = [
    '| Meanwhile | reads p50 / p99 / most | control: beside a run that sleeps, p50 / p99 | p99 against control | wanted |',
    '|---|---|---|---|---|',
  ]
  for (const [title, attack] of Object.entries({ ...known, ...others })) {
    const calm = await control()
    const life = await live(attack)
    const ratio = life.p99 / calm.p99
    const verdict = ratio > 2 ? '≤ 2x, missed' : '≤ 2x'
    const end = life.run.status === 'completed' && life.lost === 0 ? '' : ' (its run or a lease was harmed)'
    lines.push(
      `| ${title}${end} | ${life.p50} / ${life.p99} / ${life.max} ms | ${calm.p50} / ${calm.p99} ms | ${ratio.toFixed(2)}x | ${verdict} |`,
    )
  }
  return lines
}
