import type { Fix } from './fix.ts'

type Changed = Pick<Fix, 'kind' | 'removed' | 'text'>

const opposites = new Set(
  '== != === !== < >= > <= in notin is isnot'
    .split(' ')
    .map((sign, at, signs) => `${sign} ${signs[at % 2 === 0 ? at + 1 : at - 1]}`),
)

/** Whether a change makes a condition the opposite of what it was where no passing test comes by. `passing`: how many run its line. */
export function isUnseenInversion(fix: Changed, passing: number): boolean {
  return passing === 0 && isInverted(fix)
}

function isInverted({ kind, removed, text }: Changed): boolean {
  return kind === 'negation' || opposites.has(`${removed.replace(/\s/g, '')} ${text.replace(/\s/g, '')}`)
}
