import { type SuiteResult, testId, type TestResult } from './suite.ts'

const AWAY =
  /\b(ECONNREFUSED|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)\b[^\n]{0,100}|Connection refused|could not connect to server/
const NODE_MISSING = /Cannot find (?:module|package) '([^'./][^']{0,200})'/
const PYTHON_MISSING = /ModuleNotFoundError: No module named '([^']{1,200})'/
const METADATA_MISSING =
  /PackageNotFoundError: No package metadata was found for ([\w.-]{1,200})|DistributionNotFound: The '([\w.-]{1,200})[^'\n]{0,100}' distribution was not found/
const GO_MISSING =
  /no required module provides package ([^\s:;]{1,200})|cannot find module providing package ([^\s:;]{1,200})/
const GO_BROKEN = /([\w./-]{1,200}\.go:\d{1,9}:\d{1,9}: [^\n]{1,300})/
const FILE_MISSING =
  /ENOENT: no such file or directory[^'\n]{0,60}'([^'\n]{1,300})'|\[Errno 2\] No such file or directory: '([^'\n]{1,300})'/
const COMMAND_MISSING = /: ([\w.-]{1,100}): (?:command )?not found/

/** What keeps every failing test from running that no change of the code fixes; null: some failure may be a fault in it. */
export function findCause(result: SuiteResult): string | null {
  const causes = failingOf(result).map((test) => causeIn(test, result))
  return causes.every((cause) => cause !== null) ? (causes[0] ?? null) : null
}

/**
 * The failing tests of which each misses something that no change of the code brings. A file that does not load, as it finds no data,
 * is one of them where other tests fail: the code may name the data wrongly.
 */
export function findOutside(result: SuiteResult): { id: string; cause: string }[] {
  const found = failingOf(result).map((test) => {
    const cause = causeIn(test, result)
    return { id: testId(test), cause, missing: cause === null && !test.name ? missingFile(test.error ?? '') : null }
  })
  const isElsewhere = found.some(({ cause, missing }) => cause === null && missing === null)
  return found.flatMap(({ id, cause, missing }) => {
    const why = cause ?? (isElsewhere ? missing : null)
    return why === null ? [] : [{ id, cause: why }]
  })
}

function failingOf({ tests }: SuiteResult): TestResult[] {
  return tests.filter((test) => !test.isPassing)
}

function causeIn({ file, error }: TestResult, { outputTail }: SuiteResult): string | null {
  return causeOf(error ?? '') ?? (file ? null : causeOf(outputTail))
}

function missingFile(error: string): string | null {
  const path = FILE_MISSING.exec(error)?.slice(1).find(Boolean)
  return path ? `The tests need ${path}, which is not there.` : null
}

/** What is missing by an error's text; null: nothing that is known. */
export function causeOf(text: string): string | null {
  const away = AWAY.exec(text)?.[0]
  if (away) return `The failing tests need a service that does not answer here, such as a database (${away.trim()}).`
  const missing = [NODE_MISSING, PYTHON_MISSING, GO_MISSING].flatMap(
    (one) => one.exec(text)?.slice(1).find(Boolean) ?? [],
  )[0]
  if (missing)
    return `The tests need the package "${missing}", which is not installed. Install it with a setup command.`
  const unregistered = METADATA_MISSING.exec(text)?.slice(1).find(Boolean)
  if (unregistered)
    return `The tests ask for the metadata of "${unregistered}", which is not installed. Install it with a setup command, such as \`pip install -e .\` for the project itself.`
  const broken = text.includes('[build failed]') ? GO_BROKEN.exec(text)?.[1] : undefined
  if (broken) return `A package does not compile: ${broken}. Correct that first.`
  const command = COMMAND_MISSING.exec(text)?.[1]
  if (command) return `The program "${command}" is not installed. Install it with a setup command.`
  return null
}
