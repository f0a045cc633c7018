import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formatDuration, parseDuration } from '../src/duration.js'

test('durations are read, with spaces and without', () => {
  for (const [text, seconds] of [['1h 30m', 5400], ['1h30m', 5400], ['45s', 45], ['0s', 0], ['2h 5s', 7205], ['90m', 5400], ['1h2m3s', 3723]])
    assert.equal(parseDuration(text), seconds, text)
})

test('it is the inverse', () => {
  for (const seconds of [0, 1, 59, 60, 61, 3599, 3600, 3661, 86_399, 100_000])
    assert.equal(parseDuration(formatDuration(seconds)), seconds)
})

test('what is no duration is refused and quoted', () => {
  for (const text of ['', ' ', '10', 'h', '1x', '30m 1h', '1h 1h', '-1h', '1.5h', '1h soon'])
    assert.throws(() => parseDuration(text), (error) => error instanceof RangeError && error.message.includes(text), `"${text}"`)
})
