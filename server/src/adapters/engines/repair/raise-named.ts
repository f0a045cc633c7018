import { functionsByLine } from './function-around.ts'
import type { SuspiciousFile } from './locate-fault.ts'
import { type TestResult, testId } from './suite.ts'

/** A line that is about what the failing tests are named after is so many times as suspicious, where no passing test is. */
const NAMED_FACTOR = 2
const NAME = /[A-Za-z_$][\w$]{2,200}/g

type Named = Pick<TestResult, 'file' | 'name'>

/** How much a name tells of the failing tests, from 0 to 1: the share of them that are named after it, less that of the passing ones. */
export function tellingNames(failing: Named[], passing: Named[]): (name: string) => number {
  const [failingWords, passingWords] = [failing, passing].map((tests) => tests.map((test) => wordsOf(testId(test))))
  const known = new Map<string, number>()
  return (name) => {
    const before = known.get(name)
    if (before !== undefined) return before
    const share = shareWith(name, failingWords!)
    // Most names tell of no failing test, and thousands may pass.
    const value = share && share * (1 - shareWith(name, passingWords!))
    known.set(name, value)
    return value
  }
}

/** Raises lines that name, or whose function is named, what tells of the failing tests. */
export function raiseNamedAfter(
  file: SuspiciousFile,
  source: string,
  tellingOf: (name: string) => number,
): SuspiciousFile {
  const texts = source.split('\n')
  const functions = functionsByLine(source)
  const lines = Object.entries(file.lines).map(([line, suspicion]) => {
    const names = [...(texts[Number(line) - 1]?.match(NAME) ?? []), functions[Number(line) - 1] ?? '']
    const telling = Math.max(0, ...names.map(tellingOf))
    return [line, Math.round(suspicion * (1 + (NAMED_FACTOR - 1) * telling) * 1e4) / 1e4] as const
  })
  return { ...file, lines: Object.fromEntries(lines) }
}

function shareWith(name: string, tests: Set<string>[]): number {
  const words = [...wordsOf(name)]
  if (!words.length || !tests.length) return 0
  return tests.filter((test) => words.every((word) => test.has(word))).length / tests.length
}

/** `parseURLKey` and `parse_url_key` have the same three. */
function wordsOf(text: string): Set<string> {
  const apart = text.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').replaceAll(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  return new Set(apart.toLowerCase().match(/[a-z]+|\d+/g))
}
