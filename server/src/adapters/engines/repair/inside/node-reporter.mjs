// A reporter for node's test runner: one JSON line for each test that ended, with its full name, in a file of this
// process, for a command may run several.
import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { inspect } from 'node:util'

const TEXT_MAX = 2000
// This runs in the project's process, not in ours.
// oxlint-disable-next-line node/no-process-env
const report = path.join(process.env.RUNWRIGHT_REPORTS, `${process.pid}-${Date.now()}.jsonl`)

// oxlint-disable-next-line import/no-default-export, require-yield -- node asks for it, and nothing is to be printed
export default async function* reportTests(source) {
  // Events of one file come in order; a parent ends after its children.
  const open = []
  for await (const { type, data } of source) {
    if (type !== 'test:start' && type !== 'test:pass' && type !== 'test:fail') continue
    open.length = data.nesting
    open[data.nesting] = data.name
    if (type === 'test:start') continue
    const told = {
      file: data.entryFile ?? data.file ?? null,
      names: [...open],
      isSuite: data.details?.type === 'suite',
      isSkipped: data.skip !== undefined || data.todo !== undefined,
      isPassing: type === 'test:pass',
      ms: data.details?.duration_ms ?? 0,
      error: type === 'test:fail' ? describeError(data.details?.error) : null,
    }
    appendFileSync(report, `${JSON.stringify(told)}\n`)
  }
}

function describeError(error) {
  const cause = error?.cause ?? error
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause)
  return text.slice(0, TEXT_MAX)
}
