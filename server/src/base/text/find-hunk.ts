import { nameIn } from './read-diff-lines.ts'

export type FindHunk = { path: string; line: number; side: 'base' | 'head' }

/** The part of a unified diff of git that shows a line of a file, from the head of its hunk to that line; null where none does. */
export function findHunk(diff: string, { path, line: number, side }: FindHunk): string | null {
  let names = { base: '', head: '' }
  let hunk: string[] = []
  const at = { base: 0, head: 0 }
  const left = { base: 0, head: 0 }
  for (const line of diff.split('\n')) {
    if (left.base > 0 || left.head > 0) {
      hunk.push(line)
      for (const each of sidesOf(line)) {
        if (each === side && at[each] === number && (names.head === path || names[side] === path))
          return hunk.join('\n')
        at[each]++
        left[each]--
      }
      continue
    }
    if (line.startsWith('--- ')) names = { base: nameIn(line), head: '' }
    else if (line.startsWith('+++ ')) names.head = nameIn(line)
    const [head, ...numbers] = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@.*/.exec(line) ?? []
    if (head === undefined) continue
    hunk = [head]
    const [base = 0, bases = 1, now = 0, nows = 1] = numbers.map((text) => (text ? Number(text) : undefined))
    Object.assign(at, { base, head: now })
    Object.assign(left, { base: bases, head: nows })
  }
  return null
}

/** Of which sides a line of a hunk is. */
function sidesOf(line: string): ('base' | 'head')[] {
  if (line.startsWith('+')) return ['head']
  if (line.startsWith('-')) return ['base']
  return line.startsWith(' ') || line === '' ? ['base', 'head'] : []
}
