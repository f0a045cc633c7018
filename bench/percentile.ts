/** The time that this share of them does not exceed; NaN of none. */
export function percentile(times: readonly number[], share: number): number {
  return (
    times.toSorted((one, other) => one - other)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? NaN
  )
}

export const middle = (times: readonly number[]) => percentile(times, 0.5)
