import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HostError } from '#adapters/codehosts/code-host.ts'
import { AppError } from '#base/errors.ts'
import { LogRefused } from '#domain/runs/logs/taking-log.ts'
import { describeFailure } from './describe-failure.ts'

const describe = (error: unknown) =>
  describeFailure(error, { signal: new AbortController().signal, sandbox: undefined, timeoutMinutes: 5 })
const full = 'The organization may store 1 MiB, and this would make it 2 MiB. Ask whoever runs the service.'

test('whatever there was no room for, a run says so with the limit and who may raise it, and can be resumed', async () => {
  const refusals = [
    new AppError('storage_full', { message: full }),
    new HostError('storage_full', full),
    new LogRefused('storage_full', full, undefined),
  ]
  for (const refusal of refusals) {
    const failure = await describe(refusal)
    assert.partialDeepStrictEqual(failure, { error: { code: 'storage_full', retryable: true } })
    assert.ok(failure?.error.message.startsWith(full), failure?.error.message)
  }
})

test('a log that has reached its own bound would reach it again', async () => {
  const failure = await describe(new LogRefused('output_limit_reached', 'The log is full.', undefined))
  assert.partialDeepStrictEqual(failure, { error: { code: 'output_limit_reached', retryable: false } })
})
