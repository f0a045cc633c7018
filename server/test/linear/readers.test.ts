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
/** A parser of YAML does more for each sign, and is given at most 8,000 marks. */
const slower: Record<string, number> = { 'how to set up from .runwright.yml': 600 }

for (const [name, read] of Object.entries(readers))
  test(`reads ${name} in time, whatever is in it`, async () => {
    for (const [about, text] of texts(characters, false)) {
      const boundMs = slower[name] ?? enoughMs
      const ms = await leastCpuMs(() => read(text), { enoughMs: boundMs })
      assert.ok(ms <= boundMs, `${characters} characters, ${about}: ${ms.toFixed()} ms`)
    }
  })
