type Place = { tools: string; nodeFolder: string; python: string | null }

/** What sets one language apart for those that run tests; how its code reads is in its dialect. */
type Row = {
  /** Names of its source files. */
  sources: RegExp
  /** Starts the bench; a file with its settings follows. */
  bench(place: Place): string[]
  /** Whether the bench runs the whole suite, too (`--once`); else the suite's command does, and reports to us. */
  runsSuites: boolean
  /** Starts what calls functions with other values than the tests do; a file with the calls follows. Null: nothing does. */
  compare: ((place: Place) => string[]) | null
  /** Benches side by side on one core: those of Python wait for a fork half of the time. */
  benchesPerCore: number
}

/** Go's own installer puts it where no path leads. */
const WITH_GO = ['sh', '-c', 'PATH="$PATH:/usr/local/go/bin" exec "$@"', 'sh']

export type Language = 'javascript' | 'python' | 'go'

export const languages: Record<Language, Row> = {
  javascript: {
    sources: /\.([cm]?[jt]s|jsx|tsx)$/,
    bench: ({ tools, nodeFolder }) => [`${nodeFolder}/node`, `${tools}/node-bench.mjs`],
    runsSuites: false,
    compare: ({ tools, nodeFolder }) => [`${nodeFolder}/node`, `${tools}/compare.mjs`],
    benchesPerCore: 1,
  },
  python: {
    sources: /\.py$/,
    bench: ({ tools, python }) => [python ?? 'python3', `${tools}/python_bench.py`],
    runsSuites: true,
    compare: ({ tools, python }) => [python ?? 'python3', `${tools}/compare.py`],
    benchesPerCore: 2,
  },
  go: {
    sources: /\.go$/,
    bench: ({ tools, nodeFolder }) => [...WITH_GO, `${nodeFolder}/node`, `${tools}/go-bench.mjs`],
    runsSuites: true,
    compare: null,
    benchesPerCore: 1,
  },
}

/** Whether a file is source code that can be repaired. */
export function isSourcePath(path: string): boolean {
  return Object.values(languages).some(({ sources }) => sources.test(path))
}
