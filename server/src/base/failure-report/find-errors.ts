/** A line of a log that says what went wrong. */
export type ErrorLine = {
  /** Counted from 0, in the lines that were looked at. */
  at: number
  text: string
}

/** What tools write where something fails, by who writes it. */
const written: Record<string, RegExp> = {
  tsc: /(?:^|\s)error TS\d+: /,
  eslint: /^\s+\d+:\d+\s+error\s+\S/,
  eslintFile: /^✖ \d+ problems? \((?:[^0]|0[^ ])/,
  pytest: /^E {2,}\S/,
  pytestSummary: /^(?:FAILED|ERROR) \S+(?:\.py|::)/,
  python: /^(?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Interrupt|Exit): /,
  pythonTrace: /^Traceback \(most recent call last\):/,
  unittest: /^(?:FAIL|ERROR): \w+ \(/,
  go: /^\s*--- FAIL: /,
  goCompile: /^(?:vet: )?\S+\.go:\d+:\d+: /,
  goPackage: /^FAIL\s+\S+\s+(?:\[|\d)/,
  goPanic: /^(?:panic|fatal error): /,
  rust: /^error(?:\[E\d+\])?: /,
  rustTest: /^test \S+ \.\.\. FAILED$/,
  rustPanic: /^thread '.*' (?:\(\d+\) )?panicked at/,
  maven: /^\[(?:ERROR|FATAL)\] +\S/,
  gradle: /^(?:> Task \S+ FAILED|FAILURE: Build failed|\* What went wrong:)/,
  npm: /^npm (?:ERR!|error) \s*(?:[^A\s]|A[^ ]|A [^c])/,
  yarn: /^(?:error |➤ YN\d+: .*(?:failed|error))/i,
  pnpm: /^\s?(?:ERR_PNPM_\w+|ELIFECYCLE|ERROR\s)/,
  jest: /^\s+● (?:[^C]|C[^o]|Co[^n]|Con[^s]|$)/,
  jestFile: /^FAIL\s+\S+\.\w+/,
  tap: /^\s*not ok \d+/,
  nodeTest: /^\s*✖ \S/,
  gcc: /^\S+:\d+(?::\d+)?: (?:fatal )?error: /,
  make: /^make(?:\[\d+\])?: \*\*\* /,
  shell: /(?:^|: )(?:command not found|No such file or directory|Permission denied)$/,
  actions: /^##\[error\]/,
  git: /^(?:fatal|remote: error): /,
  crash: /^(?:Killed|Segmentation fault|Aborted)\b/,
  runner: /^The (?:self-hosted |hosted )?runner|^The operation was canceled/,
}

const errorWords = /\b(?:error|fatal|exception|failed|failure|cannot|could not|unable to)\b/i
/** The same words where all went well, or where they are names. */
const unsaid =
  /\b(?:0|no|without) (?:errors?|failures?|failed)\b|\b(?:errors?|failures?|failed)[:=] ?0\b|[-/.]errors?\b|\berrors?[.\-/_]\w|--\w{0,40}(?:error|fail)|\bwarn(?:ing)?\b/i

/** The lines that say what went wrong: those in a form that a tool is known to write, or else any that speak of errors. */
export function findErrors(lines: readonly string[]): ErrorLine[] {
  const known = listLines(lines, isWritten)
  return known.length > 0 ? known : listLines(lines, (line) => errorWords.test(line) && !unsaid.test(line))
}

function listLines(lines: readonly string[], isOne: (line: string) => boolean): ErrorLine[] {
  return lines.flatMap((text, at) => (isOne(text) ? [{ at, text }] : []))
}

const forms = Object.values(written)

function isWritten(line: string): boolean {
  return line !== '' && forms.some((form) => form.test(line))
}
