/** Begins work that nobody waits for, unless it is under way already. The work itself says what fails: it never rejects. */
export function oneAtATime<Input>(work: (input: Input) => Promise<void>): (input: Input) => void {
  let underWay: Promise<void> | undefined
  return (input) => {
    underWay ??= work(input).finally(() => (underWay = undefined))
  }
}
