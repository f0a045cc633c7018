import assert from 'node:assert/strict'
import { test } from 'node:test'
import { triesAll, turnOfCommit } from '#test/cases-of-commit.ts'
import { leastCpuMs } from './cpu-time.ts'
import { readers, type Reader } from './readers.ts'
import { texts } from './texts.ts'

const MiB = 1024 * 1024
/** On a machine that the control takes `controlMs` on; a slower one is given as much longer. */
const msPerMiB = 100
const controlMs = 14
const words = 'the quick brown fox\n'.repeat(20_000)
/** So much longer does everything take on a processor whose caches others use too. */
const slack = 2.5

/** What a short text of marks may take, such as the 4,000 that a parser of YAML is given at most. */
const leastMs = 40
/** Of the largest texts each reader is given one in so many: all of them would take half an hour. */
const shares = triesAll ? 36 : 108
const turn = turnOfCommit(shares)

for (const [index, [name, read]] of Object.entries(readers).entries())
  test(`reads ${name} in ${msPerMiB} ms a MiB, whatever is in it`, async () => {
    for (const [about, text] of texts(MiB / 32, true)) await assertQuick(read, text, about)
    let n = index + turn
    for (const [about, text] of texts(4 * MiB, false)) if (n++ % shares === 0) await assertQuick(read, text, about)
  })

async function assertQuick(read: Reader, text: string, about: string): Promise<void> {
  const enoughMs = leastMs + (Buffer.byteLength(text) / MiB) * msPerMiB * slack
  const ms = await leastCpuMs(() => read(text), { enoughMs, tries: 5 })
  if (ms <= enoughMs) return
  const slowness = (await leastCpuMs(runControl, { enoughMs: controlMs, tries: 10 })) / controlMs
  const mayTakeMs = enoughMs * Math.max(1, slowness)
  assert.ok(ms <= mayTakeMs, `${about}: ${ms.toFixed()} ms, and may take ${mayTakeMs.toFixed()}`)
}

/** Of what readers do: every word is found and replaced, every line is cut and joined. */
function runControl(): string {
  const loud = words.replaceAll(/[a-z]+/g, (word) => word.toUpperCase())
  return loud
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
}
