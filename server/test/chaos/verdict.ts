/** Faults by what was promised: each promise is checked on many runs, and holds when no fault was found. */
export type Verdict = { promise: string; checked: number; faults: string[] }

export type Verdicts = {
  /** Checks a promise once more. */
  check(promise: string, isKept: boolean, fault: () => string): void
  all(): Verdict[]
}

export function openVerdicts(): Verdicts {
  const byPromise = new Map<string, Verdict>()
  return {
    check: (promise, isKept, fault) => {
      const verdict = byPromise.get(promise) ?? { promise, checked: 0, faults: [] }
      byPromise.set(promise, verdict)
      verdict.checked++
      if (!isKept) verdict.faults.push(fault())
    },
    all: () => [...byPromise.values()],
  }
}

const faultsShown = 5

/** Prints all of them; answers whether every promise was kept. */
export function printVerdicts(verdicts: Verdict[]): boolean {
  for (const { promise, checked, faults } of verdicts) {
    const how = faults.length ? `BROKEN ${faults.length} of ${checked}` : `kept ${checked}`
    console.log(`${how.padEnd(20)} ${promise}`)
    for (const fault of faults.slice(0, faultsShown)) console.log(`${' '.repeat(21)}- ${fault}`)
    if (faults.length > faultsShown) console.log(`${' '.repeat(21)}… and ${faults.length - faultsShown} more`)
  }
  return verdicts.every(({ faults }) => faults.length === 0)
}
