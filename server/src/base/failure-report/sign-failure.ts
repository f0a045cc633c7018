import { createHash } from 'node:crypto'

/** What differs from one time to the next though the failure is the same, and what stands for it; in this order. */
const varying: [RegExp, string | ((...parts: string[]) => string)][] = [
  [/\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?/g, '<time>'],
  [/\b\d{1,2}:\d\d(?::\d\d(?:[.,]\d+)?)?\b(?:\s?[AP]M)?/g, '<time>'],
  [/\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b/gi, '<id>'],
  [/\b0x[\da-f]+\b/gi, '<hex>'],
  [/\b[\da-f]{7,64}\b/gi, (word = '') => (/\d/.test(word) ? '<hex>' : word)],
  [/\/(?:private\/)?(?:tmp|var\/tmp|var\/folders)[/\\][^\s:'")]+/g, '<tmp>'],
  [/[A-Z]:\\Users\\[^\\\s:]{1,200}\\AppData\\Local\\Temp[/\\][^\s:'")]{1,400}/g, '<tmp>'],
  // Where a work tree lies differs; which of its files it is does not.
  [/(?:file:\/\/)?([\w.@+/-]+)/g, (whole = '', path = '') => (path.startsWith('/') ? lastTwo(path, whole) : whole)],
  [/\b\d{1,20}(?:[.,]\d{1,20})?\s?(?:ns|µs|us|ms|s|sec|secs|seconds?|m|min|mins|minutes?|h|hours?)\b/g, '<duration>'],
  [/(^|[^\w.])\d+(?:[.,]\d+)*\b/g, '$1<n>'],
  [/\s+/g, ' '],
]

/** A digest that is the same for the same failure at another time, on another machine and at other lines. */
export function signFailure(lines: readonly string[]): string {
  const plain = lines.map((line) =>
    varying.reduce((text, [pattern, stand]) => text.replaceAll(pattern, stand as string), line).trim(),
  )
  // Tests that run beside each other fail in any order.
  const each = [...new Set(plain)].filter((line) => line !== '').sort()
  return createHash('sha256').update(each.join('\n')).digest('hex')
}

function lastTwo(path: string, otherwise: string): string {
  const names = path.split('/').filter((name) => name !== '')
  return names.length < 2 ? otherwise : `${names.slice(-2).join('/')}${path.endsWith('/') ? '/' : ''}`
}
