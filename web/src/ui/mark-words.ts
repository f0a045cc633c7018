/** What of a line is new or gone: from one character up to another. */
export type Mark = { from: number; to: number }

type Line = { sign: string; text: string; mark: Mark | null }

const charactersMax = 500

/** Marks in lines that took the place of each other what differs between them. */
export function markWords(lines: Line[]): void {
  for (let at = 0; at < lines.length; at++) {
    if (lines[at]!.sign !== '-') continue
    let gone = at
    while (lines[gone]?.sign === '-') gone++
    let come = gone
    while (lines[come]?.sign === '+') come++
    // Only where as many lines came as went is it plain which took the place of which.
    if (gone - at === come - gone) for (let n = at; n < gone; n++) markPair(lines[n]!, lines[n + gone - at]!)
    at = come - 1
  }
}

function markPair(one: Line, other: Line): void {
  if (one.text.length > charactersMax || other.text.length > charactersMax) return
  const [short, long] = [Math.min(one.text.length, other.text.length), Math.max(one.text.length, other.text.length)]
  let head = 0
  while (head < short && one.text[head] === other.text[head]) head++
  let tail = 0
  while (tail < short - head && one.text.at(-1 - tail) === other.text.at(-1 - tail)) tail++
  // Lines that have next to nothing in common are two lines, not one that changed.
  if (head + tail < long * 0.25 || head + tail === long) return
  one.mark = { from: head, to: one.text.length - tail }
  other.mark = { from: head, to: other.text.length - tail }
}
