import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { readRecord } from './read-record.ts'
import { readStep } from './read-step.ts'
import { recordLimits } from './run-record.ts'

const packed = readFileSync(new URL('../../public/example.record', import.meta.url))
const text = gunzipSync(packed).toString()
const { signal } = new AbortController()
const limits = { ...recordLimits, bytes: 4 * 2 ** 20, lineBytes: 2 ** 20, lines: 1_000 }
const read = (bytes: Buffer<ArrayBuffer>) => readRecord(new Blob([bytes]), { signal, limits })

const head = { type: 'head', format: 'runwright-record', version: 1, agentType: 'builtin' }

/** Stands for what `JSON.stringify` cannot write. */
const DEEP = 'nested deeply'
const deep = `${'['.repeat(5_000)}1${']'.repeat(5_000)}`

/** A record as if a service had written it. */
function seal(items: readonly unknown[]): Buffer<ArrayBuffer> {
  const lines = items.map((item) => `${JSON.stringify(item)}\n`.replaceAll(`"${DEEP}"`, deep)).join('')
  const sha256 = createHash('sha256').update(lines).digest('hex')
  return gzipSync(`${lines}${JSON.stringify({ type: 'end', lines: items.length, sha256 })}\n`)
}

test('the steps of a record stand in their order, each with its log entry', async () => {
  const { head, steps, startedAt } = await read(packed)
  assert.equal(head.agentType, 'builtin')
  assert.ok(startedAt !== null)
  assert.deepEqual(
    steps.map(({ n }) => n),
    steps.map((_, index) => index + 1),
  )
  assert.equal(steps[0]!.kind, 'entry', 'what the person asked for comes first')
  assert.equal(steps.at(-1)!.title, 'Answer')
  const edit = steps.find(({ title }) => title.startsWith('edit '))!
  const content = readStep(edit)
  assert.equal(content.call?.name, 'edit')
  assert.match(String(content.entry?.tool_output?.['diff']), /cents >= from/)
  const first = readStep(steps.find(({ kind }) => kind === 'model')!)
  assert.match(String(first.system), /You are a coding agent/)
  assert.match(first.messages[0] ?? '', /^Make the failing test pass/)
  assert.deepEqual(
    first.calls.map(({ name }) => name),
    ['plan'],
  )
  assert.ok(first.inputTokens! > 0)
})

test('a file that is no whole record is refused with the reason', async () => {
  const refused = (bytes: Buffer<ArrayBuffer>, message: RegExp) =>
    assert.rejects(read(bytes), { name: 'RecordRefused', message })
  await refused(Buffer.from('garbage'), /not gzip/)
  await refused(Buffer.from(''), /empty/)
  await refused(packed.subarray(0, packed.length >> 1), /cut off/)
  await refused(Buffer.concat([packed.subarray(0, 40), Buffer.alloc(400, 7)]), /cut off or damaged/)
  await refused(gzipSync('{}\n'), /no record of a run/)
  await refused(gzipSync('\u0000\n'), /no record of a run/)
  await refused(gzipSync(`${JSON.stringify(head)}\n[]\n`), /Line 2/)
  await refused(gzipSync(`${JSON.stringify(head)}\n`), /last line is missing/)
  await refused(gzipSync(text.replace('cents', 'cent')), /changed/)
  await refused(gzipSync(`${text}{"type":"end"}\n`), /goes on after its last line/)
  await refused(seal([{ ...head, version: 2 }]), /has version 2; version 1 can be read/)
  await refused(seal([head, { type: 'step', kind: 'model' }]), /Line 2/)
  await refused(seal([head, { type: 'entry', entry: null }]), /Line 2/)
  await refused(gzipSync(Buffer.alloc(2 * 2 ** 20, 'x')), /A line of the record has more than 1 MiB/)
  const message = (words: string) => ({ type: 'message', turn: 1, text: words })
  await refused(seal([head, ...Array.from({ length: 1_001 }, () => message('x'))]), /more than 1,000 lines/)
  const bomb = Array.from({ length: 10 }, () => message('x'.repeat(900_000)))
  await refused(seal([head, ...bomb]), /Unpacked, the record has more than 4 MiB/)
  const large = { size: 2 ** 30 } as Blob
  await assert.rejects(readRecord(large, { signal }), { name: 'RecordRefused', message: /more than 64 MiB/ })
})

test('whatever stands in a record, what is shown of it is bounded, and hides nothing', async () => {
  const odd = [
    null,
    true,
    -1,
    1e308,
    '',
    '\u202egnp.exe\u200b',
    [[]],
    { __proto__: null, toString: 1 },
    'x'.repeat(300_000),
  ]
  const wide = Array.from({ length: 6_000 }, (_, n) => ({ n }))
  const items = [...odd, DEEP, wide].flatMap((value, n) => [
    {
      type: 'step',
      key: `t1/model/${n}`,
      kind: 'model',
      seq: value,
      turn: value,
      finishedAt: value,
      request: value,
      response: value,
    },
    {
      type: 'step',
      key: 'k',
      kind: 'model',
      request: { said: [value, { text: value }], basis: { system: value } },
      response: {
        text: value,
        thought: value,
        calls: [value, { name: value, input: value }],
        end: value,
        inputTokens: value,
      },
    },
    {
      type: 'step',
      key: 'k',
      kind: 'tool',
      seq: n + 1,
      request: { name: value, input: { command: value } },
      response: { text: value },
    },
    { type: 'step', key: 'k', kind: 'ask', request: { text: value }, response: { answer: value } },
    {
      type: 'entry',
      entry: Object.fromEntries([
        ['seq', n + 1],
        ...[
          'created_at',
          'turn',
          'message_type',
          'thought',
          'tool_name',
          'tool_input',
          'tool_output',
          'observation',
          'duration_ms',
        ].map((name) => [name, value]),
      ]),
    },
  ])
  const { steps } = await readRecord(new Blob([seal([head, ...items])]), { signal })
  assert.ok(steps.length >= odd.length * 4)
  for (const step of steps) {
    const shown = JSON.stringify([step.title, readStep(step)])
    assert.ok(shown.length < 1_000_000, String(shown.length))
    assert.doesNotMatch(shown, /[\u202e\u200b]/)
  }
})
