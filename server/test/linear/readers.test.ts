import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastCpuMs } from './cpu-time.ts'
import { readers } from './readers.ts'
import { texts } from './texts.ts'

const characters = 16 * 1024
/**
 * What is quadratic takes seconds for a text that is four times as long as this; all else, a few milliseconds. The exact
 * bound of 100 ms a MiB is held against larger texts in readers.slow.ts.
 */
const enoughMs = 200

for (const [name, read] of Object.entries(readers))
  test(`reads ${name} in time, whatever is in it`, async () => {
    for (const [about, text] of texts(characters, false)) {
      const ms = await leastCpuMs(() => read(text), { enoughMs })
      assert.ok(ms <= enoughMs, `${characters} characters, ${about}: ${ms.toFixed()} ms`)
    }
  })
