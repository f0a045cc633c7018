/** Hooks of a repository in a real run, and the same run with a mistake in them. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import os from 'node:os'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { makeRepository } from '#test/example-repository.ts'
import { startModelServer } from '#test/model-server.ts'
import { startService, type Service } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

type Line = { type: string; key?: string; response?: unknown; lines?: number; sha256?: string }

/** What the service records of a run is whole, in order, and without secrets. */
async function checkRecord(service: Service, path: string, entries: number): Promise<void> {
  const bytes = gunzipSync(await (await service.ask('GET', path)).bytes())
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
