const charactersMax = 16 * 1024
/** Linear ones take a hundredth of it, quadratic ones a hundred times as long. */
const slowMs = 40
const words = ['a', '1', ' ', '\n', '\r', '"', '\\', '/', '-', '.', ':', '<', '\u2028', 'é']

/**
 * A proof is of one search. A pattern that is searched for again after each match can look at the whole rest of a text
 * each time and match little, as `/a(?:.*b)?/g` does. So each such one is tried on texts made of what stands in it: the
 * beginning of one that took long, or undefined.
 */
export function looksBeyond(source: string, flags: string): string | undefined {
  const pattern = new RegExp(source, flags)
  for (const text of texts(source)) {
    // A machine that is busy is slow once, not three times in a row.
    if ([1, 2, 3].every(() => cpuMs(() => text.replaceAll(pattern, '')) > slowMs)) return text.slice(0, 24)
  }
  return undefined
}

function* texts(source: string): Generator<string> {
  const inside = source
    .replaceAll(/\(\?(?:[:=!]|<[=!]|<\w+>)|\\[bBdDsSwW]|\\[pP]\{[^}]*\}|\{\d+,?\d*\}/g, '\0')
    .replaceAll(/\\u([0-9a-f]{4})/gi, (_, digits: string) => String.fromCharCode(parseInt(digits, 16)))
    .replaceAll(/\\([nrt])/g, (_, letter: string) => ({ n: '\n', r: '\r', t: '\t' })[letter] ?? '')
    .split(/[\0()|*+?[\]^$]+/)
    .map((word) => word.replaceAll('\\', ''))
  const all = [...new Set([...words, ...inside.filter((word) => word !== '').slice(0, 24)])]
  const fill = (word: string) => word.repeat(Math.ceil(charactersMax / word.length))
  for (const one of all) {
    yield fill(one)
    for (const other of all) {
      if (other === one) continue
      yield fill(one + other)
      yield one + fill(other)
    }
  }
}

function cpuMs(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1_000
}
