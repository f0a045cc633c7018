import type { TestResult } from './suite.ts'

const TESTS_MAX = 20_000
const ERROR_LINES = 40

/** The tests at the outermost level of a TAP stream, as `ava --tap` writes it: `not ok 2 - file › test`. */
export function readTap(text: string): TestResult[] {
  const tests: TestResult[] = []
  let details: string[] | null = null
  for (const line of text.split('\n')) {
    const [, not, title = ''] = /^(not )?ok \d{1,9}(?: -)? ?(.*)$/.exec(line) ?? []
    const last = tests.at(-1)
    if (/^(not )?ok \d/.test(line)) {
      details = null
      if (/ # (skip|todo)\b/i.test(title) || tests.length >= TESTS_MAX) continue
      tests.push({ file: '', name: title, isPassing: !not, ms: 0, error: not ? '' : null })
    } else if (line.trim() === '---') details = []
    else if (line.trim() === '...') details = null
    else if (details && last && !last.isPassing && details.push(line) <= ERROR_LINES) last.error += `${line.trim()}\n`
  }
  return tests
}
