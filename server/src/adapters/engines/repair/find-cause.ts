import { type SuiteResult, testId } from './suite.ts'

const AWAY =
  /\b(ECONNREFUSED|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)\b[^\n]{0,100}|Connection refused|could not connect to server/
const NODE_MISSING = /Cannot find (?:module|package) '([^'./][^']{0,200})'/
const PYTHON_MISSING = /ModuleNotFoundError: No module named '([^']{1,200})'/
const GO_MISSING =
  /no required module provides package ([^\s:;]{1,200})|cannot find module providing package ([^\s:;]{1,200})/
const GO_BROKEN = /([\w./-]{1,200}\.go:\d{1,9}:\d{1,9}: [^\n]{1,300})/
const COMMAND_MISSING = /: ([\w.-]{1,100}): (?:command )?not found/

/** What keeps every failing test from running that no change of the code fixes; null: some failure may be a fault in it. */
export function findCause(result: SuiteResult): string | null {
  const outside = findOutside(result)
  const failing = result.tests.filter((test) => !test.isPassing)
  return failing.length && outside.length === failing.length ? outside[0]!.cause : null
}

/** The failing tests of which each misses something that no change of the code brings. */
export function findOutside({ tests, outputTail }: SuiteResult): { id: string; cause: string }[] {
  return tests.flatMap((test) => {
    const cause = test.isPassing ? null : (causeOf(test.error ?? '') ?? (test.file ? null : causeOf(outputTail)))
    return cause === null ? [] : [{ id: testId(test), cause }]
  })
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
  const broken = text.includes('[build failed]') ? GO_BROKEN.exec(text)?.[1] : undefined
  if (broken) return `A package does not compile: ${broken}. Correct that first.`
  const command = COMMAND_MISSING.exec(text)?.[1]
  if (command) return `The program "${command}" is not installed. Install it with a setup command.`
  return null
}
