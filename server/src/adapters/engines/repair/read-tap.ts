import type { TestResult } from './suite.ts'

const TESTS_MAX = 20_000
const ERROR_LINES = 40
const SEPARATOR = ' › '
const FOLDERS_MAX = 20

/**
 * The tests at the outermost level of a TAP stream, as `ava --tap` writes it: `not ok 2 - file › test`, or without the file
 * where only one is run. `files`: those of which they may be.
 */
export function readTap(text: string, files: string[]): TestResult[] {
  const placed = placeBy(files)
  const tests: TestResult[] = []
  let details: string[] | null = null
  for (const line of text.split('\n')) {
    const [, not, title = ''] = /^(not )?ok \d{1,9}(?: -)? ?(.*)$/.exec(line) ?? []
    const last = tests.at(-1)
    if (/^(not )?ok \d/.test(line)) {
      details = null
      if (/ # (skip|todo)\b/i.test(title) || tests.length >= TESTS_MAX) continue
      tests.push({ ...placed(title), isPassing: !not, ms: 0, error: not ? '' : null })
    } else if (line.trim() === '---') details = []
    else if (line.trim() === '...') details = null
    else if (details && last && !last.isPassing && details.push(line) <= ERROR_LINES) last.error += `${line.trim()}\n`
  }
  return tests
}

/** AVA names a file by its folders and its name, without what all of them begin with and what tells that it is a test. */
function placeBy(files: string[]): (title: string) => { file: string; name: string } {
  const known = files.map((file) => {
    const stem = file.replace(/(\.test|\.spec)?\.[cm]?[jt]sx?$/, '')
    return {
      file,
      parts: stem
        .split('/')
        .map((part) => part.replace(/^test-/, ''))
        .filter((part) => part !== '__tests__'),
    }
  })
  return (title) => {
    const words = title.split(SEPARATOR)
    for (let count = Math.min(words.length - 1, FOLDERS_MAX); count > 0; count--) {
      const prefix = words.slice(0, count).join('/')
      const found = known.find(({ parts }) => parts.slice(-count).join('/') === prefix)
      if (found) return { file: found.file, name: words.slice(count).join(SEPARATOR) }
    }
    return { file: files.length === 1 ? files[0]! : '', name: title }
  }
}
