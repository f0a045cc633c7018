import { createHash } from 'node:crypto'
import { createGunzip } from 'node:zlib'
import { Readable } from 'node:stream'
import { z } from 'zod'
import type { JsonObject } from '#base/json.ts'

const VERSION = 1
const BYTES_MAX = 512 * 2 ** 20
const LINE_BYTES_MAX = 64 * 2 ** 20

const object = z.record(z.string(), z.json())
const head = z.object({
  type: z.literal('head'),
  format: z.literal('runwright-record'),
  version: z.number(),
  agentType: z.string(),
  outputSchema: object.nullable(),
  planApproval: z.boolean(),
  branch: z.string().nullable(),
  baseBranch: z.string().nullable(),
  repository: z.string().nullable(),
})
const message = z.object({ type: z.literal('message'), turn: z.int(), text: z.string(), beforeStep: z.int() })
const step = z.object({
  type: z.literal('step'),
  step: z.int(),
  turn: z.int(),
  key: z.string(),
  kind: z.enum(['model', 'tool', 'note', 'ask']),
  seq: z.int().nullable(),
  request: object,
  response: z.json(),
})
const entry = z.object({ type: z.literal('entry'), entry: object })
const end = z.object({ type: z.literal('end'), lines: z.int(), sha256: z.string() })
const item = z.discriminatedUnion('type', [message, step, entry, end])

export type RecordedStep = z.infer<typeof step>
export type RunRecord = {
  head: z.infer<typeof head>
  messages: z.infer<typeof message>[]
  steps: RecordedStep[]
  /** By their number in the log. */
  entries: Map<number, JsonObject>
}

/** Why a file is no record that can be read; in words for people. */
export class RecordRefused extends Error {
  override readonly name = 'RecordRefused'
}

/** Reads a record whole. Throws `RecordRefused` for one that is cut off, changed, too large, of another version, or none at all. */
export async function readRecord(bytes: Uint8Array): Promise<RunRecord> {
  let found: RunRecord | undefined
  let isWhole = false
  let lines = 0
  const hash = createHash('sha256')
  for await (const line of linesOf(bytes)) {
    if (isWhole) throw new RecordRefused('The record goes on after its last line.')
    const value = parse(line, lines + 1)
    if (!found) {
      found = { head: readHead(value), messages: [], steps: [], entries: new Map() }
    } else {
      const read = item.safeParse(value)
      if (!read.success) throw new RecordRefused(`Line ${lines + 1} of the record is not as it should be.`)
      const { data } = read
      if (data.type === 'message') found.messages.push(data)
      if (data.type === 'step') found.steps.push(data)
      if (data.type === 'entry') found.entries.set(Number(data.entry['seq']), data.entry)
      if (data.type === 'end') {
        isWhole = true
        if (data.lines !== lines || data.sha256 !== hash.digest('hex'))
          throw new RecordRefused('The record was changed: its lines do not fit its sum.')
        continue
      }
    }
    hash.update(line).update('\n')
    lines++
  }
  if (!found || !isWhole) throw new RecordRefused('The record is cut off: its last line is missing.')
  return found
}

function readHead(value: unknown): RunRecord['head'] {
  const version = (value as { version?: unknown } | null)?.version
  const read = head.safeParse(value)
  if (!read.success) throw new RecordRefused('The file is no record of a run: its first line is not the head of one.')
  if (version !== VERSION)
    throw new RecordRefused(`The record has version ${String(version)}; version ${VERSION} can be read.`)
  return read.data
}

function parse(line: Buffer, number: number): unknown {
  try {
    return JSON.parse(line.toString())
  } catch (error) {
    throw new RecordRefused(`Line ${number} of the record is no JSON.`, { cause: error })
  }
}

async function* linesOf(bytes: Uint8Array): AsyncGenerator<Buffer> {
  let [total, held] = [0, 0]
  let parts: Buffer[] = []
  const unpacked = Readable.from([bytes]).pipe(createGunzip())
  try {
    for await (const chunk of unpacked as AsyncIterable<Buffer>) {
      total += chunk.length
      if (total > BYTES_MAX) throw new RecordRefused(`The record has more than ${BYTES_MAX} bytes.`)
      let from = 0
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        yield Buffer.concat([...parts, chunk.subarray(from, at)])
        ;[parts, held, from] = [[], 0, at + 1]
      }
      parts.push(chunk.subarray(from))
      held += chunk.length - from
      if (held > LINE_BYTES_MAX) throw new RecordRefused(`A line of the record has more than ${LINE_BYTES_MAX} bytes.`)
    }
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'Z_BUF_ERROR') throw new RecordRefused('The record is cut off.', { cause: error })
    if (code?.startsWith('Z_'))
      throw new RecordRefused('The file is no record of a run: it is not gzip.', { cause: error })
    throw error
  }
}
