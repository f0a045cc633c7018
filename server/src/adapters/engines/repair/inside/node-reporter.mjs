// A reporter for node's test runner: one JSON line for each test that ended, with its full name.
import { inspect } from 'node:util'

const TEXT_MAX = 2000

// oxlint-disable-next-line import/no-default-export -- node asks for it
export default async function* reportTests(source) {
  // Events of one file come in order; a parent ends after its children.
  const open = []
  for await (const { type, data } of source) {
    if (type !== 'test:start' && type !== 'test:pass' && type !== 'test:fail') continue
    open.length = data.nesting
    open[data.nesting] = data.name
    if (type === 'test:start') continue
    yield `${JSON.stringify({
      file: data.entryFile ?? data.file ?? null,
      names: [...open],
      isSuite: data.details?.type === 'suite',
      isSkipped: data.skip !== undefined || data.todo !== undefined,
      isPassing: type === 'test:pass',
      ms: data.details?.duration_ms ?? 0,
      error: type === 'test:fail' ? describeError(data.details?.error) : null,
    })}\n`
  }
}

function describeError(error) {
  const cause = error?.cause ?? error
  const text = cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause)
  return text.slice(0, TEXT_MAX)
}
