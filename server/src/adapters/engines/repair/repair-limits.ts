/** What bounds one repair. */
export type RepairLimits = {
  /** One run of a whole suite. */
  suiteMs: number
  /** A suite slower than this is run once, not three times, to find tests that differ from run to run; from a third of it on twice. */
  slowSuiteMs: number
  /** A process that is stuck this long in a suite's run hangs. */
  stuckMs: number
  /** One test with a candidate: ten times what it took, and this. */
  testMs: number
  /** At first, three times what it took, and this: most that take longer never end. What did not end is tried again later. */
  firstTestMs: number
  /** The whole search. */
  searchMs: number
  /** One step of the search, stored and logged. */
  searchStepMs: number
  /** How much longer the search goes on for alternatives once something is found. */
  alternativesMs: number
  candidatesMax: number
  /** Larger source files are not looked at. */
  sourceBytesMax: number
}

export const defaultRepairLimits: RepairLimits = {
  suiteMs: 180_000,
  slowSuiteMs: 20_000,
  stuckMs: 4_000,
  testMs: 500,
  firstTestMs: 50,
  searchMs: 120_000,
  searchStepMs: 10_000,
  alternativesMs: 3_000,
  candidatesMax: 60_000,
  sourceBytesMax: 400_000,
}
