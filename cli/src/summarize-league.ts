import type { LeagueRun } from './run-task.ts'

/** How a contestant did in all of its runs. */
export type Standing = {
  contestant: string
  solved: number
  runs: number
  /** Between which shares of solved runs the true one lies, with 95 % confidence. */
  interval: { low: number; high: number }
  median_seconds: number | null
  median_cost_usd: number | null
  median_tokens: number | null
}

/** Each contestant, the one that solved most first. */
export function summarizeLeague(runs: readonly LeagueRun[]): Standing[] {
  const contestants = new Set(runs.map(({ contestant }) => contestant))
  return [...contestants]
    .map((contestant) => {
      const own = runs.filter((run) => run.contestant === contestant)
      const solved = own.filter((run) => run.solved).length
      return {
        contestant,
        solved,
        runs: own.length,
        interval: wilson(solved, own.length),
        median_seconds: median(own.map(({ seconds }) => seconds)),
        median_cost_usd: median(own.map(({ cost_usd: usd }) => usd)),
        median_tokens: median(own.map(({ tokens }) => tokens)),
      }
    })
    .toSorted((one, other) => other.solved / other.runs - one.solved / one.runs)
}

/** Of the normal distribution, for 95 %. */
const z = 1.959964

/** Wilson's interval of a share: unlike the usual one it holds for few runs, and for none or all of them solved. */
export function wilson(solved: number, runs: number): { low: number; high: number } {
  if (runs === 0) return { low: 0, high: 1 }
  const share = solved / runs
  const middle = share + (z * z) / (2 * runs)
  const half = z * Math.sqrt((share * (1 - share)) / runs + (z * z) / (4 * runs * runs))
  const all = 1 + (z * z) / runs
  return { low: Math.max(0, (middle - half) / all), high: Math.min(1, (middle + half) / all) }
}

/** Of what is known. */
function median(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).toSorted((one, other) => one - other)
  const [low, high] = [known[Math.floor((known.length - 1) / 2)], known[Math.floor(known.length / 2)]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}
