import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'
import { factsOf } from '#log/entry-facts.ts'
import { boundText, makeRoom } from './bound-value.ts'
import { orderSteps, type FoundEntry, type FoundStep } from './order-steps.ts'
import { fieldsOf, numberIn, readEntry, textIn, timeIn } from './read-entry.ts'
import { readLines } from './read-lines.ts'
import {
  RecordRefused,
  recordLimits,
  type RecordLimits,
  type RecordHead,
  type RunRecord,
  type StepKind,
} from './run-record.ts'
import { titleOfStep } from './title-of-step.ts'

const VERSION = 1
const MIB = 2 ** 20
/** A long file gives the page its turn this often. */
const SLICE_MS = 12
const HEAD_CHARACTERS_MAX = 200

type Found = { head: RecordHead | null; steps: FoundStep[]; entries: Map<number, FoundEntry>; lines: number }

/**
 * Reads a record whole, without keeping more of it than its lines. Throws `RecordRefused` for one that is cut off,
 * changed, too large, of another version, or none at all, as the reader of `npm run replay` does.
 */
export async function readRecord(
  file: Blob,
  { signal, limits = recordLimits }: { signal: AbortSignal; limits?: RecordLimits },
): Promise<RunRecord> {
  if (file.size > limits.packedBytes)
    throw new RecordRefused(`The file has more than ${limits.packedBytes / MIB} MiB. Replay it with “npm run replay”.`)
  await requireGzip(file)
  const found: Found = { head: null, steps: [], entries: new Map(), lines: 0 }
  const sum = sha256.create()
  let isWhole = false
  let busySince = performance.now()
  for await (const line of linesOf(file, limits)) {
    if (isWhole) throw new RecordRefused('The record goes on after its last line.')
    const fields = parse(line, found.lines + 1)
    if (fields['type'] === 'end' && found.head) {
      isWhole = true
      if (fields['lines'] !== found.lines || fields['sha256'] !== bytesToHex(sum.digest()))
        throw new RecordRefused('The record was changed: its lines do not match its checksum.')
      continue
    }
    take(found, fields, line)
    sum.update(line).update(NEWLINE)
    if (++found.lines > limits.lines)
      throw new RecordRefused(`The record has more than ${limits.lines.toLocaleString('en')} lines.`)
    if (performance.now() - busySince < SLICE_MS) continue
    await new Promise((resolve) => setTimeout(resolve))
    signal.throwIfAborted()
    busySince = performance.now()
  }
  if (!found.head || !isWhole) throw new RecordRefused('The record is cut off: its last line is missing.')
  return { head: found.head, ...orderSteps(found.steps, found.entries) }
}

const NEWLINE = Uint8Array.of(10)

async function requireGzip(file: Blob): Promise<void> {
  if (file.size === 0) throw new RecordRefused('The file is empty.')
  const [one, two] = new Uint8Array(await file.slice(0, 2).arrayBuffer())
  if (one !== 0x1f || two !== 0x8b)
    throw new RecordRefused('The file is no record of a run: it is not gzip. Records are files such as run-7.jsonl.gz.')
}

async function* linesOf(file: Blob, limits: RecordLimits): AsyncGenerator<Uint8Array> {
  const unpacked = file.stream().pipeThrough(new DecompressionStream('gzip'))
  try {
    yield* readLines(unpacked, limits)
  } catch (error) {
    // What a browser says of a gzip file that ends too early, or is none.
    if (error instanceof TypeError)
      throw new RecordRefused('The record is cut off or damaged: it cannot be unpacked to its end.', { cause: error })
    throw error
  }
}

function parse(line: Uint8Array, number: number): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(new TextDecoder().decode(line))
  } catch (error) {
    throw new RecordRefused(number === 1 ? noRecord : `Line ${number} of the record is no JSON.`, { cause: error })
  }
  const fields = fieldsOf(value)
  if (!fields) throw new RecordRefused(number === 1 ? noRecord : `Line ${number} of the record is not as it should be.`)
  return fields
}

const noRecord = 'The file is no record of a run: its first line is not the head of one.'
const kinds = ['model', 'tool', 'ask', 'note'] as const

function take(found: Found, fields: Record<string, unknown>, line: Uint8Array): void {
  if (!found.head) {
    found.head = readHead(fields)
    return
  }
  const { type } = fields
  const refuse = () => {
    throw new RecordRefused(`Line ${found.lines + 1} of the record is not as it should be.`)
  }
  if (type === 'message') return
  if (type === 'entry') {
    const entry = readEntry(fields['entry'], makeRoom())
    if (entry.seq < 1) refuse()
    const { title, isFailure } = factsOf(entry)
    const at = timeIn(entry.created_at) || null
    found.entries.set(entry.seq, { turn: entry.turn, at, title: shorten(title), isFailure, line })
    return
  }
  const kind: StepKind | undefined = kinds.find((one) => one === fields['kind'])
  const key = textIn(fields['key'])
  if (type !== 'step' || !kind || key === null) return refuse()
  found.steps.push({
    kind,
    turn: numberIn(fields['turn']) ?? 0,
    seq: numberIn(fields['seq']),
    at: timeIn(fields['finishedAt']),
    title: shorten(titleOfStep(kind, fields)),
    isFailure: fieldsOf(fields['response'])?.['isError'] === true,
    line,
  })
}

const shorten = (title: string) => boundText(title.slice(0, HEAD_CHARACTERS_MAX), makeRoom())

function readHead(fields: Record<string, unknown>): RecordHead {
  const { format, version } = fields
  const agentType = textIn(fields['agentType'])
  if (fields['type'] !== 'head' || format !== 'runwright-record' || agentType === null)
    throw new RecordRefused(noRecord)
  if (version !== VERSION)
    throw new RecordRefused(`The record has version ${numberIn(version) ?? 'unknown'}; version ${VERSION} can be read.`)
  const text = (name: string) => {
    const found = textIn(fields[name])
    return found === null ? null : shorten(found)
  }
  const recordedAt = timeIn(fields['recorded_at'])
  return {
    runId: numberIn(fields['run_id']),
    agentType: shorten(agentType),
    repository: text('repository'),
    branch: text('branch'),
    recordedAt: recordedAt === null ? null : new Date(recordedAt).toISOString(),
  }
}
