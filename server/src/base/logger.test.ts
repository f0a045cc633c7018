import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLogger } from './logger.ts'

function logged(fields: Record<string, unknown>): Record<string, unknown> {
  const lines: string[] = []
  const logger = openLogger({ level: 'info', destination: { write: (line) => lines.push(line) } })
  logger.info(fields, 'it happened')
  return JSON.parse(lines[0] ?? '{}')
}

test('an error is told with its place, and not with the row or the prompt that it carries', () => {
  const cause = Object.assign(new Error('the model did not answer'), { requestBodyValues: { messages: ['plum'] } })
  const error = Object.assign(new Error('violates a check', { cause }), {
    code: '23514',
    constraint: 'runs_check',
    detail: 'Failing row contains (7, plum).',
    where: 'SQL statement "select plum"',
  })
  const line = logged({ err: error })
  assert.partialDeepStrictEqual(line['err'], { type: 'Error', code: '23514', constraint: 'runs_check' })
  assert.match(JSON.stringify(line), /violates a check.*the model did not answer/)
  assert.doesNotMatch(JSON.stringify(line), /plum/)
  assert.deepEqual(logged({ err: 'plum' })['err'], { type: 'string' })
})

test('what is known to hold a secret is blotted out', () => {
  const line = logged({
    token: 'plum',
    request: { headers: { authorization: 'Bearer plum' } },
    model: { apiKey: 'plum' },
  })
  assert.doesNotMatch(JSON.stringify(line), /plum/)
  assert.equal(line['token'], '[secret]')
})
