import type { BenchAnswer } from './bench.ts'
import { isSourcePath } from './languages.ts'
import { isTestPath, isVendorPath, type TestResult, testId } from './suite.ts'

/**
 * A file's lines that a failing test ran, each with its suspicion and with how many passing tests ran it, and the tests
 * that ran any line of it.
 */
export type SuspiciousFile = {
  file: string
  lines: Record<string, number>
  passing: Record<string, number>
  tests: CoveringTest[]
}
export type CoveringTest = {
  file: string
  name: string
  ms: number
  isPassing: boolean
  /** Whether it was ended for its time when it was measured. */
  isHanging?: boolean
}

/** Of the tests that ran a line: those that fail, by their file, and how many pass. */
type Counts = { failing: Map<string, number>; passing: number }

const LINES_MAX = 2_000

/**
 * Ranks lines by Ochiai: ef / √(all failing × all that ran it), of all failing tests or, where that is more, of those of one test
 * file: what fails elsewhere may have reasons of its own, such as a time zone. Lines that run while a file is loaded count as run
 * by every test of that file. A line near the deepest frame of the project in a failing test's trace is raised a little.
 */
export function locateFault(answers: BenchAnswer[], ignored: ReadonlySet<string>): SuspiciousFile[] {
  const counts = new Map<string, Map<number, Counts>>()
  const coveredBy = new Map<string, Map<string, CoveringTest>>()
  const deepest = new Map<string, Set<number>>()
  const failingCounts = new Map<string, number>()
  for (const { tests, imported } of answers) {
    for (const test of tests) {
      if (ignored.has(testId(test))) continue
      const { file, name, ms, isPassing } = test
      if (!isPassing) addOne(failingCounts, file)
      const seen = mergeLines(test.lines ?? {}, imported[file] ?? {})
      for (const [path, lines] of seen) {
        if (!isChangeable(path, file)) continue
        entryOf(coveredBy, path).set(testId(test), { file, name, ms, isPassing })
        for (const line of lines) count(entryOf(counts, path), line, test)
      }
      if (!test.isPassing && test.error) noteDeepestFrame(deepest, test.error, [...seen.keys()])
    }
  }
  return rank(counts, coveredBy, deepest, failingCounts)
}

function isChangeable(path: string, testFile: string): boolean {
  return path !== testFile && !isTestPath(path) && !isVendorPath(path) && isSourcePath(path)
}

function mergeLines(...parts: Record<string, number[]>[]): Map<string, Set<number>> {
  const merged = new Map<string, Set<number>>()
  for (const part of parts) {
    for (const [path, lines] of Object.entries(part)) {
      const set = merged.get(path) ?? new Set()
      for (const line of lines) set.add(line)
      merged.set(path, set)
    }
  }
  return merged
}

function entryOf<K, V>(maps: Map<string, Map<K, V>>, key: string): Map<K, V> {
  const found = maps.get(key) ?? new Map<K, V>()
  maps.set(key, found)
  return found
}

function count(lines: Map<number, Counts>, line: number, { file, isPassing }: TestResult): void {
  const counts = lines.get(line) ?? { failing: new Map<string, number>(), passing: 0 }
  if (isPassing) counts.passing++
  else addOne(counts.failing, file)
  lines.set(line, counts)
}

function addOne(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function sumOf(counts: Map<string, number>): number {
  return [...counts.values()].reduce((sum, one) => sum + one, 0)
}

/** The last place in the error's text (Python) or the first (JavaScript) that lies in a file the test ran. */
function noteDeepestFrame(deepest: Map<string, Set<number>>, error: string, paths: string[]): void {
  const python = [...error.matchAll(/File "([^"]+)", line (\d+)/g)].reverse()
  const short = [...error.matchAll(/^([^\s:]+\.py):(\d+): /gm)].reverse()
  const places = [...python, ...short].map(([, place = '', line = '0']) => ({ place, line }))
  for (const { place, line } of [...places, ...nodePlaces(error)]) {
    const path = paths.find((one) => place.endsWith(`/${one}`) || place === one)
    if (!path || isTestPath(path)) continue
    const lines = deepest.get(path) ?? new Set()
    deepest.set(path, lines.add(Number(line)))
    return
  }
}

/** `src/a.ts:3:5`, as Node writes it, or `/w/a.go:3`: from the last blank or bracket before it. */
function nodePlaces(error: string): { place: string; line: string }[] {
  const places: { place: string; line: string }[] = []
  let begin = 0
  let seen = 0
  for (const { 0: whole, 1: ending = '', 2: line = '0', index } of error.matchAll(
    /(\.(?:[cm]?[jt]sx?|go)):(\d+)(?::\d+)?/g,
  )) {
    const blank = lastBlank(error.slice(seen, index))
    if (blank >= 0) begin = seen + blank + 1
    seen = index
    if (begin === index) continue
    places.push({ place: error.slice(begin, index) + ending, line })
    begin = index + whole.length
    seen = begin
  }
  return places
}

function lastBlank(text: string): number {
  let at = text.length - 1
  while (at >= 0 && !/[\s()]/.test(text[at]!)) at--
  return at
}

function ochiaiOf(failing: number, all: number, passing: number): number {
  return failing / Math.sqrt(all * (failing + passing))
}

function rank(
  counts: Map<string, Map<number, Counts>>,
  coveredBy: Map<string, Map<string, CoveringTest>>,
  deepest: Map<string, Set<number>>,
  failingCounts: Map<string, number>,
): SuspiciousFile[] {
  const allFailing = sumOf(failingCounts)
  const rows: { path: string; line: number; suspicion: number; passing: number }[] = []
  for (const [path, lines] of counts) {
    for (const [line, { failing, passing }] of lines) {
      if (!failing.size) continue
      const ochiai = Math.max(
        ochiaiOf(sumOf(failing), allFailing, passing),
        ...[...failing].map(([test, count]) => ochiaiOf(count, failingCounts.get(test)!, passing)),
      )
      const away = Math.min(...[...(deepest.get(path) ?? [])].map((frame) => Math.abs(frame - line)), 50)
      rows.push({ path, line, suspicion: ochiai * (1 + 0.2 / (1 + away)), passing })
    }
  }
  rows.sort((a, b) => b.suspicion - a.suspicion || a.path.localeCompare(b.path) || a.line - b.line)
  const files = new Map<string, SuspiciousFile>()
  for (const { path, line, suspicion, passing } of rows.slice(0, LINES_MAX)) {
    const tests = [...(coveredBy.get(path)?.values() ?? [])]
    const file = files.get(path) ?? { file: path, lines: {}, passing: {}, tests }
    file.lines[line] = Math.round(suspicion * 1e4) / 1e4
    file.passing[line] = passing
    files.set(path, file)
  }
  return [...files.values()]
}
