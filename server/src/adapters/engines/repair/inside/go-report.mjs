// Reads what tests of Go say: the events of `go test -json`, and the plain output of one package's test program.

const ERROR_CHARACTERS = 4_000

/** What came of each test, of each package, and what is no event, such as what the compiler says. */
export function readEvents(text) {
  const tests = new Map()
  const packages = new Map()
  let rest = ''
  for (const line of text.split('\n')) {
    const event = parse(line)
    if (!event) {
      rest += `${line}\n`
      const failed = /^FAIL\s+(\S+) \[(?:build|setup) failed\]/.exec(line)?.[1]
      if (failed) packages.set(failed, { isFailing: true, output: line })
      continue
    }
    const { Action, Package = '', Test = '', Output = '', Elapsed = 0 } = event
    if (Action === 'build-output') rest += Output
    if (!Package) continue
    const within = packages.get(Package) ?? { isFailing: false, output: '' }
    packages.set(Package, within)
    if (!Test) {
      within.output += Output
      if (Action === 'fail') within.isFailing = true
      continue
    }
    const key = `${Package} ${Test}`
    const test = tests.get(key) ?? { package: Package, name: Test, isPassing: null, ms: 0, output: '' }
    tests.set(key, test)
    test.output += Output
    if (Action === 'skip') tests.delete(key)
    if (Action === 'pass' || Action === 'fail')
      Object.assign(test, { isPassing: Action === 'pass', ms: Elapsed * 1000 })
  }
  return { tests: [...tests.values()].map(finish), packages, rest }
}

/** Of packages that fail though no test of theirs does: they do not compile, or something beside the tests failed. */
export function packageErrors(packages, tests, compiler) {
  const failing = new Set(tests.filter((test) => !test.isPassing).map((test) => test.package))
  return [...packages]
    .filter(([name, { isFailing }]) => isFailing && !failing.has(name))
    .map(([name, { output }]) => ({ name, error: `${output.trim()}\n${compiler.trim()}`.slice(0, ERROR_CHARACTERS) }))
}

/** What a test program writes with `-test.v`. */
export function readVerbose(text, { code, wasEnded }) {
  const tests = new Map()
  let current = null
  for (const line of text.split('\n')) {
    const [, started] = /^=== (?:RUN|CONT|NAME)\s+(\S+)/.exec(line) ?? []
    // What a test printed last may stand before it in the line.
    const [, verdict, name, seconds] = /--- (PASS|FAIL|SKIP): (\S+) \((\d+\.\d+)s\)$/.exec(line) ?? []
    const about = started ?? name
    if (about) {
      const known = tests.get(about)
      current = known ?? { name: about, isPassing: null, ms: 0, output: '' }
      tests.set(about, current)
    } else if (current) current.output += `${line}\n`
    if (verdict === 'SKIP') tests.delete(name)
    else if (verdict) Object.assign(current, { isPassing: verdict === 'PASS', ms: Number(seconds) * 1000 })
  }
  const reason = wasEnded ? 'timed out' : `the process ended with ${code}`
  // Those that were still running when the process ended.
  return [...tests.values()].map((test) =>
    finish(test.isPassing === null ? { ...test, output: `${reason}\n${test.output}` } : test),
  )
}

function finish({ output, ...test }) {
  const error = output
    .split('\n')
    .filter((line) => !/^\s*(=== (RUN|PAUSE|CONT|NAME)\b|--- (PASS|FAIL|SKIP): |FAIL$|PASS$)/.test(line))
    .join('\n')
    .trim()
  return {
    ...test,
    isPassing: test.isPassing === true,
    error: test.isPassing ? null : error.slice(0, ERROR_CHARACTERS),
  }
}

function parse(line) {
  if (!line.startsWith('{')) return null
  try {
    const event = JSON.parse(line)
    return typeof event.Action === 'string' ? event : null
  } catch {
    return null
  }
}
