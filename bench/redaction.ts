// What it costs to take secrets out of what a run prints: of the time in which an entry is appended, and by itself.
import { randomBytes } from 'node:crypto'
import type pg from 'pg'
import { openRedactor } from '../server/src/base/redaction/redactor.ts'
import type { Entry } from '../server/src/base/entry.ts'
import { appendLog, logLines } from '../server/src/domain/runs/logs/append-log.ts'
import { makeHeldRun } from '../server/test/make-run.ts'
import { migrate } from '../server/src/db/migrate.ts'
import { percentile } from './percentile.ts'

const secretsCounts = [10, 50]
const rounds = 1_500
const outputBytes = 4_096
const streamBytes = 64 * 2 ** 20
const pieceBytes = 64 * 1_024

export async function benchRedaction(pool: pg.Pool): Promise<string[]> {
  await migrate(pool)
  const { holder } = await makeHeldRun(pool)
  const [appends, streams]: [string[], string[]] = [[], []]
  for (const count of secretsCounts) {
    const secrets = Array.from({ length: count }, (_, n) => ({
      name: `KEY_${n}`,
      value: randomBytes(24).toString('base64'),
    }))
    const begun = performance.now()
    const redactor = openRedactor(secrets)
    const builtMs = performance.now() - begun
    const [bare, masked]: [number[], number[]] = [[], []]
    for (let round = 0; round < rounds; round++) {
      const entries = [entryOf(round)]
      const append = async (times: number[], mask: (text: string) => string) => {
        const start = performance.now()
        await appendLog(pool, { ...holder, lines: logLines(entries, { turn: 1, mask }) })
        if (round > 100) times.push(performance.now() - start)
      }
      await append(bare, (text) => text)
      await append(masked, redactor.mask)
    }
    const [without, including] = [percentile(bare, 0.5), percentile(masked, 0.5)]
    const cost = `${((including / without - 1) * 100).toFixed(1)} %`
    appends.push(
      `| an entry with ${outputBytes} bytes of output is appended, ${count} secrets known | ${(including * 1_000).toFixed(0)} µs | ${(without * 1_000).toFixed(0)} µs | ${cost} | ≤ 15 % |`,
    )
    streams.push(
      `| output in pieces of 64 KiB, ${count} secrets known | ${throughput(redactor.openStream()).toFixed(0)} MiB/s |`,
      `| to make ready for ${count} secrets | ${builtMs.toFixed(1)} ms |`,
    )
  }
  return [
    '| What | p50 | control: the same, nothing taken out | cost | wanted |',
    '|---|---|---|---|---|',
    ...appends,
    '',
    '| What | |',
    '|---|---|',
    ...streams,
    '',
  ]
}

/** As programs print. */
const line = (n: number) =>
  `2026-11-21T18:${String(n % 60).padStart(2, '0')}:00.123Z INFO [worker-${n % 7}] GET /v1/things/${n * 7919} took ${n % 997} ms {"id": ${n}, "tags": ["a/b", "c=d"]}\n`

function entryOf(round: number): Entry {
  let output = ''
  for (let n = round; output.length < outputBytes; n++) output += line(n)
  const toolInput = { command: `npm test -- --part ${round}`, timeout_seconds: 120 }
  const toolOutput = { output: output.slice(0, outputBytes), exit_code: 0, timed_out: false, seconds: 0.5 }
  return { messageType: 'ACTION', toolName: 'shell', thought: 'Look at what it says.', toolInput, toolOutput }
}

function throughput(stream: { write(piece: Uint8Array): unknown }): number {
  let text = ''
  for (let n = 0; text.length < 2 ** 20; n++) text += line(n)
  const bytes = Buffer.from(text)
  const begun = performance.now()
  let written = 0
  while (written < streamBytes)
    for (let from = 0; from < bytes.length; from += pieceBytes, written += pieceBytes)
      stream.write(bytes.subarray(from, from + pieceBytes))
  return written / 2 ** 20 / ((performance.now() - begun) / 1_000)
}
