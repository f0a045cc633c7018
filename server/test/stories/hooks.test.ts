/** Hooks of a repository in a real run, and the same run with a mistake in them. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import os from 'node:os'
import { test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { readRecord } from '#adapters/engines/builtin/replay/read-record.ts'
import { replayRecord } from '#adapters/engines/builtin/replay/replay-record.ts'
import { makeRepository } from '#test/example-repository.ts'
import { startModelServer } from '#test/model-server.ts'
import { startService, type Service } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

/** A record as if the service had written it, with one text in place of another. */
function reseal(lines: Line[], from: string, to: string): Buffer {
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  assert.ok(text.includes(from), from)
  const changed = text.replace(from, to)
  const sha256 = createHash('sha256').update(changed).digest('hex')
  return gzipSync(`${changed}${JSON.stringify({ type: 'end', lines: lines.length, sha256 })}\n`)
}

/** What was recorded is what today's code does; and what would differ is found, with its step. */
async function checkReplay(packed: Uint8Array, lines: Line[]): Promise<void> {
  const replay = async (bytes: Uint8Array) => replayRecord(await readRecord(bytes))
  const { turns, steps, difference } = await replay(packed)
  assert.equal(difference, null)
  assert.equal(turns, 1)
  assert.ok(steps >= 9, String(steps))
  const differs = async (from: string, to: string) => (await replay(reseal(lines, from, to))).difference ?? 'nothing'
  const before = 'You are a coding agent at work alone'
  assert.match(
    await differs(before, 'You are a poet at work alone'),
    /^What turn 1 tells models first, system, line 1 differs\.\n  then: You are a poet [^\n]*\n  now:  You are a coding agent/,
  )
  // The result of a tool reaches the model in other words than then.
  assert.match(
    await differs('"text":"created a.txt', '"text":"made a.txt'),
    /created a\.txt|t1\/tool\/1\.1|other messages/,
  )
  assert.match(await differs('"content":"b\\n"', '"content":"c\\n"'), /step t1\/|other messages/)
  const refused = (bytes: Uint8Array, message: RegExp) =>
    assert.rejects(readRecord(bytes), { name: 'RecordRefused', message })
  await refused(packed.subarray(0, packed.length >> 1), /cut off/)
  await refused(Buffer.from('garbage'), /not gzip/)
  await refused(new Uint8Array(), /cut off/)
  await refused(gzipSync('{}\n'), /no record of a run/)
  await refused(gzipSync('\u0000\n'), /Line 1 of the record is no JSON/)
  await refused(gzipSync(gunzipSync(packed).toString().replace('created a.txt', 'created b.txt')), /changed/)
  await refused(gzipSync(`${JSON.stringify(lines[0])}\n`), /last line is missing/)
  await refused(gzipSync(`${JSON.stringify(lines[0])}\n${JSON.stringify({ type: 'step', key: 1 })}\n`), /Line 2/)
  await refused(reseal(lines, '"version":1', '"version":2'), /has version 2; version 1 can be read/)
  await refused(gzipSync(Buffer.alloc(65 * 2 ** 20, 'x')), /A line of the record has more than/)
}

type Line = { type: string; key?: string; response?: unknown; lines?: number; sha256?: string }

/** What the service records of a run is whole, in order, and without secrets. */
async function checkRecord(service: Service, path: string, entries: number): Promise<void> {
  const packed = await (await service.ask('GET', path)).bytes()
  const bytes = gunzipSync(packed)
  assert.ok(!bytes.includes('secret-of-repo-4711'))
  assert.ok(bytes.includes('"name":"shell"'))
  const text = bytes.toString().trimEnd()
  const lines = text.split('\n').map((line) => JSON.parse(line) as Line)
  const end = lines.at(-1)
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  const sha256 = createHash('sha256').update(whole).digest('hex')
  assert.deepEqual(end, { type: 'end', lines: lines.length - 1, sha256 })
  assert.partialDeepStrictEqual(lines[0], {
    type: 'head',
    format: 'runwright-record',
    version: 1,
    agentType: 'builtin',
  })
  assert.equal(lines.filter(({ type }) => type === 'entry').length, entries)
  const models = lines.filter(({ type, key }) => type === 'step' && key?.startsWith('t1/model/'))
  assert.ok(models.length >= 4 && models.every(({ response }) => response))
  await checkReplay(packed, lines.slice(0, -1))
}

const call = (name: string, input: Record<string, string>) => ({ calls: [{ name, input }] })
const script = [
  call('write', { path: 'a.txt', content: 'a\n' }),
  // What the agent writes there changes nothing for this run.
  call('write', { path: '.runwright.yml', content: 'hooks: {}\n' }),
  call('write', { path: 'b.txt', content: 'b\n' }),
  call('shell', { command: 'cat a.txt b.txt; echo secret-of-repo-$((4700 + 11))' }),
  call('finish', { summary: 'Done.' }),
  call('finish', { summary: 'Done.' }),
]
const yml = (hooks: string) => `hooks:\n${hooks}`
const right = yml(
  `  after_edit: [{ paths: ['*.txt'], command: 'sed -i s/^/x/ "$1"' }]\n  before_finish: [grep -q xb b.txt]\n`,
)

for (const { title, file, tools, problem } of [
  {
    title: 'hooks of the base commit run after changes and before the end',
    file: right,
    tools: ['write', 'after_edit', 'write', 'write', 'after_edit', 'shell', 'before_finish'],
    problem: null,
  },
  {
    title: 'a mistake in a hook is told, and the run goes on without hooks',
    file: yml('  after_edits: [x]\n'),
    tools: ['write', 'write', 'write', 'shell'],
    problem: /hooks of the repository are left out in this turn:\n\.runwright\.yml, line 2: "after_edits" is not known/,
  },
]) {
  test(title, async () => {
    const db = await testDb()
    await using model = await startModelServer(script)
    const service = await startService({
      databaseUrl: db.url,
      env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir(), OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: 'x' },
    })
    const at = `/v1/organizations/${service.organizationId}`
    const importFrom = makeRepository({ '.runwright.yml': file })
    const repo = await service.call<{ id: number }>('POST', `${at}/repos`, { name: 'a', import_from: importFrom })
    await service.call('PUT', `${at}/repos/${repo.id}/secrets/TOKEN`, { value: 'secret-of-repo-4711' })
    const made = await service.call<{ id: number }>('POST', `${at}/agent/run`, { prompt: 'Go', repo_id: repo.id })
    const run = await service.untilEnded(made.id)
    assert.equal(run.status, 'completed', JSON.stringify(run.error) + service.said())
    const log = await service.log(made.id)
    assert.deepEqual(
      log.flatMap(({ tool_name }) => tool_name ?? []),
      tools,
    )
    const errors = log.filter(({ message_type }) => message_type === 'ERROR')
    assert.equal(errors.length, problem ? 1 : 0)
    if (problem) assert.match(String(errors[0]!.observation), problem)
    await checkRecord(service, `${at}/agent/run/${made.id}/record`, log.length)
  })
}
