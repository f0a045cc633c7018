import assert from 'node:assert/strict'
import { test } from 'node:test'
import { leastCpuMs } from './cpu-time.ts'
import { readers } from './readers.ts'
import { texts } from './texts.ts'

const MiB = 1024 * 1024
const msPerMiB = 100
/** So much longer does everything take on a processor whose caches others use too. */
const slack = 2.5

/** These miss it, and are given texts of a bounded length. */
const slower: Record<string, number> = {
  'a report of a failure': 400,
  'commands that failed': 400,
  'the answer about a repair': 400,
  'how to set up from Dockerfile': 4_000,
  'how to set up from .runwright.yml': 20_000,
}
/** Of the largest texts each reader is given one in so many, another share than its neighbors: all of them would take half an hour. */
const shares = 36

for (const [index, [name, read]] of Object.entries(readers).entries())
  test(`reads ${name} in ${slower[name] ?? msPerMiB} ms a MiB, whatever is in it`, async () => {
    const held = { read, ms: slower[name] ?? msPerMiB }
    for (const [about, text] of texts(MiB / 32, true)) await assertQuick(held, text, about)
    let n = index
    for (const [about, text] of texts(4 * MiB, false)) if (n++ % shares === 0) await assertQuick(held, text, about)
  })

type Held = { read: (text: string) => unknown; ms: number }

async function assertQuick({ read, ms: perMiB }: Held, text: string, about: string): Promise<void> {
  const enoughMs = 20 + (Buffer.byteLength(text) / MiB) * perMiB * slack
  const ms = await leastCpuMs(() => read(text), { enoughMs, tries: 5 })
  assert.ok(ms <= enoughMs, `${about}: ${ms.toFixed()} ms, and may take ${enoughMs.toFixed()}`)
}
