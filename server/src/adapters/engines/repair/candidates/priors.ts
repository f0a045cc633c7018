/** `weight: from to | from to …`: of changes of one sign into another, how likely each is against the likeliest. */
const TABLE = `
1: < <= | <= < | > >= | >= > | + - | - + | * / | / * | / // | // / | and or | or and | && || | || && | ?? || | || ??
0.95: == != | != == | === !== | !== === | in not_in | not_in in | is == | is_not != | is is_not | is_not is | == === | != !==
0.9: < > | > < | <= >= | >= <= | % // | // % | ** * | & | | | & | & ^ | ^ & | | ^ | ^ | | << >> | >> << | >> >>> | << >>> | >>> >>
0.8: + * | * + | * ** | / - | % / | * // | // *
0.3: % - | - %
0.7: == >= | == <= | < >= | >= < | > <= | <= > | === >= | === <= | - * | - / | // - | - //
0.5: >= == | <= == | == < | == > | >= === | <= === | === < | === >
0.4: < != | > != | < == | > == | < !== | > !== | != < | != > | !== < | !== > | != <= | != >= | !== <= | !== >=
`
const UNLISTED = 0.5

const weights = new Map<string, number>()
for (const row of TABLE.trim().split('\n')) {
  const colon = row.indexOf(': ')
  // A bar between blanks is also an operator: what stands between two bars is always a pair.
  const signs = row.slice(colon + 2).split(' ')
  for (let at = 0; at < signs.length; at += 3) weights.set(`${signs[at]} ${signs[at + 1]}`, Number(row.slice(0, colon)))
}

/** How likely it is that `from` was to be `to`, from 0 to 1. */
export function weighSigns(from: string, to: string): number {
  return weights.get(`${from.replaceAll(' ', '_')} ${to.replaceAll(' ', '_')}`) ?? UNLISTED
}

/** Numbers that may stand where `value` is wrong, with how likely each is. */
export function numbersNear(value: number): [number, number][] {
  const twoOff: [number, number][] =
    value > 2
      ? [
          [value + 2, 0.5],
          [value - 2, 0.5],
        ]
      : []
  const near: [number, number][] = [
    [value + 1, 1],
    [value - 1, value > 0 ? 1 : 0.7],
    [0, 0.9],
    [1, 0.9],
    [-value, 0.7],
    [2, 0.6],
    ...twoOff,
    [value * 2, 0.5],
    [value / 2, 0.5],
    [value * 10, 0.35],
    [value / 10, 0.35],
  ]
  const seen = new Set([value])
  return near.filter(([other]) => Number.isSafeInteger(other) && !seen.has(other) && seen.add(other))
}
