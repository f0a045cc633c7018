import type { Fix } from './fix.ts'

const opposites = new Set(
  '== != === !== < >= > <= in notin is isnot'
    .split(' ')
    .map((sign, at, signs) => `${sign} ${signs[at % 2 === 0 ? at + 1 : at - 1]}`),
)

/** Whether a change makes a condition the opposite of what it was. */
export function isInverted({ kind, removed, text }: Pick<Fix, 'kind' | 'removed' | 'text'>): boolean {
  return kind === 'negation' || opposites.has(`${removed.replace(/\s/g, '')} ${text.replace(/\s/g, '')}`)
}
