import { linesOf } from './lines-of.ts'

const CONTEXT_LINES = 3

export type LineChange = {
  /** Of the new text, from 1. */
  firstLine: number
  removed: string[]
  added: string[]
  /** A unified diff of one hunk. */
  diff: string
}

/** What changed between two texts, as the one stretch of lines from the first difference to the last. */
export function diffLines(path: string, before: string, after: string): LineChange {
  const old = linesOf(before)
  const fresh = linesOf(after)
  let start = 0
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) start++
  let same = 0
  const sameMax = Math.min(old.length, fresh.length) - start
  while (same < sameMax && old[old.length - 1 - same] === fresh[fresh.length - 1 - same]) same++
  const removed = old.slice(start, old.length - same)
  const added = fresh.slice(start, fresh.length - same)
  return { firstLine: start + 1, removed, added, diff: hunk(path, { old, fresh, start, same, removed, added }) }
}

type Parts = { old: string[]; fresh: string[]; start: number; same: number; removed: string[]; added: string[] }

function hunk(path: string, { old, fresh, start, same, removed, added }: Parts): string {
  if (removed.length + added.length === 0) return ''
  const above = old.slice(Math.max(0, start - CONTEXT_LINES), start)
  const below = old.slice(old.length - same).slice(0, CONTEXT_LINES)
  const range = (lines: string[], count: number) => {
    const total = above.length + count + below.length
    return `${lines.length === 0 ? 0 : start - above.length + 1},${total}`
  }
  const body = [
    ...above.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...below.map((line) => ` ${line}`),
  ]
  const header = `--- ${old.length === 0 ? '/dev/null' : `a/${path}`}\n+++ b/${path}`
  return `${header}\n@@ -${range(old, removed.length)} +${range(fresh, added.length)} @@\n${body.join('\n')}\n`
}
