import { execFileSync } from 'node:child_process'

/** Whether all cases are tried of tests that take long: `RUNWRIGHT_TEST_ALL` is 1. */
export const triesAll = process.env['RUNWRIGHT_TEST_ALL'] === '1'

/** The cases that this commit tries of many that take long: one of so many shares, and another one with most commits. */
export function casesOfCommit<T>(cases: readonly T[], shares: number): T[] {
  const turn = turnOfCommit(shares)
  return triesAll ? [...cases] : cases.filter((_, index) => index % shares === turn)
}

/**
 * The slow test files that this commit runs: two of five. Five has no factor with the turns inside of files, so every case of every file
 * has its turn.
 */
export function filesOfCommit(files: readonly string[]): string[] {
  const turn = turnOfCommit(5)
  return triesAll ? [...files] : files.filter((_, index) => (index + turn) % 5 < 2)
}

/** The same files, from another one on with each commit. */
export function inTurn(files: readonly string[]): string[] {
  const first = turnOfCommit(Math.max(1, files.length))
  return [...files.slice(first), ...files.slice(0, first)]
}

/** Why a long test is left to another commit; false where it is the turn of this one. */
export function leftToOther(turn: number, turns: number): string | false {
  return !triesAll && turnOfCommit(turns) !== turn && 'It is the turn of another commit.'
}

/** Which of so many turns is this commit's, from 0; sources that came without their history have one turn. */
export function turnOfCommit(turns: number): number {
  return Number(BigInt(`0x${commit()}`) % BigInt(turns))
}

function commit(): string {
  try {
    const { dirname: cwd } = import.meta
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8', stdio: 'pipe' }).trim()
  } catch {
    return '0'
  }
}
