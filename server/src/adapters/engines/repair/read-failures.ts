import { alikeAtEnd, alikeAtStart } from './candidates/alike.ts'
import type { Difference, Failures } from './candidates/source-facts.ts'
import { type Broken, failingTests } from './run-tests.ts'

const EACH_MAX = 24
/** How far from a text the other half of its pair may stand: some runners show both twice. */
const APART_MAX = 2
/** What two texts must share to be the same one, asked for and found. */
const ALIKE_MIN = 3
const CHANGED_MAX = 60
/** Of what is alike, so much on each side says where the difference is. */
const AROUND_CHARACTERS = 24

/** What the errors of failing tests say of the fault itself. */
export function readFailures(broken: Broken): Failures {
  const errors = failingTests(broken).map((test) => test.error ?? '')
  const differences = new Map(errors.flatMap(differencesIn).map((one) => [JSON.stringify(one), one]))
  return {
    differences: [...differences.values()].slice(0, EACH_MAX),
    exceptions: [...new Set(errors.flatMap((error) => error.match(EXCEPTION) ?? []))].slice(0, EACH_MAX),
    words: new Set(errors.flatMap((error) => messageOf(error).match(/[A-Za-z_$][\w$]{2,60}/g) ?? [])),
  }
}

const MESSAGE_CHARACTERS = 600

/** What pytest marks as the message; else the lines that are not indented, as stacks and source are. */
export function messageOf(error: string): string {
  const lines = error.split('\n')
  const marked = lines.filter((line) => /^E\s/.test(line))
  return (marked.length ? marked : lines.filter((line) => /^\S/.test(line))).join('\n').slice(0, MESSAGE_CHARACTERS)
}

const EXCEPTION = /\b[A-Z]\w{0,60}(?:Error|Exception|Warning)\b/g
/** In quotes, or as a line of a comparison: after `+`, `-`, and what pytest puts before these. */
const SHOWN = /'((?:[^'\\\n]|\\.){1,400})'|"((?:[^"\\\n]|\\.){1,400})"|^(?:E {1,9})?[-+] ([^\n]{1,400})$/gm

/** How texts differ that an error shows beside each other, both ways round: nothing says which of them was asked for. */
export function differencesIn(error: string): Difference[] {
  const shown = [...error.matchAll(SHOWN)].map(
    ([, single, double, line = '']) => single ?? double ?? line.replaceAll(/^['"`]|['"`],?$/g, ''),
  )
  return shown.flatMap((one, at) =>
    shown.slice(at + 1, at + 1 + APART_MAX).flatMap((other) => {
      const found = compare(one, other)
      return found ? [found, { ...found, from: found.to, to: found.from }] : []
    }),
  )
}

function compare(one: string, other: string): Difference | null {
  const start = alikeAtStart(one, other)
  const end = Math.min(alikeAtEnd(one, other), Math.min(one.length, other.length) - start)
  const [from, to] = [one.slice(start, one.length - end), other.slice(start, other.length - end)]
  if (one === other || start + end < ALIKE_MIN || from.length > CHANGED_MAX || to.length > CHANGED_MAX) return null
  const before = one.slice(Math.max(0, start - AROUND_CHARACTERS), start)
  const after = one.slice(one.length - end).slice(0, AROUND_CHARACTERS)
  return { before, from, to, after }
}
