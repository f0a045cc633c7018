import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastCpuMs } from './cpu-time.ts'
import { readers } from './readers.ts'
import { texts } from './texts.ts'

const MiB = 1024 * 1024
const msPerMiB = 100
/** So much longer does everything take on a processor whose caches others use too. */
const slack = 2.5

for (const [name, read] of Object.entries(readers))
  test(`reads ${name} in ${msPerMiB} ms a MiB, whatever is in it`, { timeout: 600_000 }, async () => {
    for (const [about, text] of texts(MiB / 4, true)) await assertQuick(read, text, about)
    for (const [about, text] of texts(4 * MiB, false)) await assertQuick(read, text, about)
  })

async function assertQuick(read: (text: string) => unknown, text: string, about: string): Promise<void> {
  const enoughMs = 20 + (Buffer.byteLength(text) / MiB) * msPerMiB * slack
  const ms = await leastCpuMs(() => read(text), { enoughMs, tries: 5 })
  assert.ok(ms <= enoughMs, `${about}: ${ms.toFixed()} ms, and may take ${enoughMs.toFixed()}`)
}
