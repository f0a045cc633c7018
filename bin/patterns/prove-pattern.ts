import { createRequire } from 'node:module'
import type * as Recheck from 'recheck'
import { looksBeyond } from './looks-beyond.ts'

export type Verdict = { isLinear: true } | { isLinear: false; why: string }

const patience = 120_000

/**
 * Whether a regular expression takes time in proportion to the text, however it is written. Proven on its automaton: what
 * the checker can only try out, such as an assertion beside a repetition without an end, counts as not proven.
 */
export function provePattern(source: string, flags: string): Verdict {
  // Others are parts of another program, which is downloaded.
  process.env['RECHECK_BACKEND'] = 'pure'
  const { checkSync } = createRequire(import.meta.url)('recheck') as typeof Recheck
  const found = checkSync(source, flags, { checker: 'automaton', timeout: patience })
  if (found.status === 'vulnerable') {
    const { type, degree } = found.complexity as { type: string; degree?: number }
    const example = found.attack.pattern
    return { isLinear: false, why: `takes ${type}${degree ? ` (degree ${degree})` : ''} time, as for ${example}` }
  }
  if (found.status !== 'safe') {
    const { kind, message = '' } = found.error as { kind: string; message?: string }
    return { isLinear: false, why: `could not be proven linear: ${kind} ${message}`.trim() }
  }
  const text = flags.includes('g') ? looksBeyond(source, flags) : undefined
  return text === undefined
    ? { isLinear: true }
    : { isLinear: false, why: `looks far beyond what it matches, again and again, in ${JSON.stringify(text)}…` }
}
