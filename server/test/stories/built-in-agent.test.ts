import assert from 'node:assert/strict'
import os from 'node:os'
import { test } from 'node:test'
import { makeRepository, receipts } from '#test/example-repository.ts'
import { startModelServer, type ModelScript } from '#test/model-server.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const key = 'sk-test-key-that-must-never-be-seen-0123456789'
const before = 'cents > from'
const after = 'cents >= from'

/** The same repair for every model: plan, look, run the tests, fix, run them again, finish. */
const fix: Exclude<ModelScript, Function> = [
  {
    reasoning: 'First a plan.',
    calls: [{ name: 'plan', input: { steps: [{ text: 'Fix it', status: 'in_progress' }] } }],
  },
  { text: 'What fails?', calls: [{ name: 'shell', input: { command: 'node --test 2>&1 | tail -40' } }] },
  { calls: [{ name: 'read', input: { path: 'src/discounts.js' } }] },
  {
    text: 'The limit itself must count.',
    calls: [{ name: 'edit', input: { path: 'src/discounts.js', old_text: before, new_text: after } }],
  },
  { calls: [{ name: 'shell', input: { command: 'node --test' } }] },
  {
    calls: [
      {
        name: 'finish',
        input: { summary: 'The discount now begins at the limit [t1-2.1].', checks: [{ command: 'node --test' }] },
      },
    ],
  },
]
const addNote: Exclude<ModelScript, Function> = [
  { calls: [{ name: 'write', input: { path: 'CHANGELOG.md', content: 'Discounts begin at their limit.\n' } }] },
  { calls: [{ name: 'shell', input: { command: 'git status --short' } }] },
  { calls: [{ name: 'finish', input: { summary: 'Written down.', checks: [] } }] },
]

const wires = [
  { name: 'OpenAI chat', env: (url: string) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: key }) },
  { name: 'Anthropic messages', env: (url: string) => ({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key }) },
]

for (const wire of wires) {
  test(`the built-in agent fixes a bug over ${wire.name}, and a follow-up goes on in the same conversation`, async () => {
    const db = await testDb()
    await using model = await startModelServer([...fix, ...addNote])
    const service = await startService({
      databaseUrl: db.url,
      env: { RUNWRIGHT_IMPORT_PATHS: os.tmpdir(), ...wire.env(model.url) },
    })
    const at = `/v1/organizations/${service.organizationId}`
    const repo = await service.call<{ id: number }>('POST', `${at}/repos`, {
      name: 'receipts',
      import_from: makeRepository({ folder: receipts }),
    })
    const made = await service.call<{ id: number }>('POST', `${at}/agent/run`, {
      prompt: 'Make the failing test pass',
      repo_id: repo.id,
    })
    const first = await service.untilEnded(made.id)
    assert.equal(first.status, 'completed', JSON.stringify(first.error) + service.said())
    assert.equal(first['agent_type'], 'builtin')
    const types = (await service.log(made.id)).map((entry) => entry.message_type)
    assert.deepEqual(types, [
      'USER_MESSAGE',
      'PLAN_EVALUATION',
      'ACTION',
      'ACTION',
      'ACTION',
      'ACTION',
      'ACTION',
      'INITIAL_PR_GENERATION',
      'FINAL_ANSWER',
    ])
    const link = (seq: number) => `\\[#${seq}\\]\\(http://[^)]*/runs/${service.organizationId}/${made.id}#s${seq}\\)`
    const expected = `begins at the limit ${link(3)}\\.\n\nChecks:\n- \`node --test\`: passed, [\\d.]+ s ${link(6)}`
    assert.match(String(first['result']), new RegExp(expected))
    const diff = await (await service.ask('GET', `${at}/agent/run/${made.id}/diff`)).text()
    assert.match(diff, new RegExp(`^\\+.*${after}`, 'm'))

    const pull = async () =>
      (await service.call<{ items: { id: number; body: string }[] }>('GET', `${at}/prs?run_id=${made.id}`)).items[0]!
    const opened = await pull()
    const edited = opened.body.replace('The discount now', 'Edited by a person: the discount')
    await service.call('PATCH', `${at}/prs/${opened.id}`, { body: edited })
    await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: made.id, prompt: 'Write it down' })
    const second = await service.untilRun(
      made.id,
      (run) => run['turn'] === 2 && ['completed', 'failed'].includes(run.status),
    )
    assert.equal(second.status, 'completed', JSON.stringify(second.error) + service.said())
    assert.equal(second.branch, first.branch)
    assert.equal(second.github_pull_requests.length, 1)
    const foot = '---\nMade by an agent: '
    const [text, url] = edited.split(foot)
    const [kept, added] = (await pull()).body.split('<!-- turn 2 -->\n')
    assert.equal(kept, text)
    assert.match(String(added), /^### Follow-up\n\nWritten down\.\n\n---/)
    assert.ok(added?.endsWith(`${foot}${url}`))
    const resumed = model.requests[fix.length]
    assert.match(
      resumed?.text ?? '',
      /Make the failing test pass[\s\S]*The limit itself must count\.[\s\S]*Write it down/,
    )
    const whole = await (await service.ask('GET', `${at}/agent/run/${made.id}/diff`)).text()
    assert.match(whole, /CHANGELOG\.md/)

    const usage = second['usage'] as { input_tokens: number; output_tokens: number }
    assert.ok(usage.input_tokens > 0 && usage.output_tokens > 0)
    const seen = JSON.stringify([first, second, await service.log(made.id)]) + service.said()
    assert.equal(seen.includes(key), false)
    assert.ok(
      model.requests.every(({ headers }) => JSON.stringify(headers).includes(key)),
      'the model was asked with the key',
    )
  })
}

test('a model that cannot be used ends the run with a reason that says what to do, and no key', async () => {
  const db = await testDb()
  const faults: { fault: ModelScript; code: RegExp; says: RegExp }[] = [
    {
      fault: () => ({ status: 401, message: `Incorrect API key provided: ${key}` }),
      code: /^(no_model|model_error)$/,
      says: /OPENAI_API_KEY/,
    },
    {
      fault: () => ({ status: 429, code: 'insufficient_quota', message: 'You exceeded your current quota' }),
      code: /^model_error$/,
      says: /credit|quota/,
    },
    { fault: () => ({ fault: 'html' }), code: /^model_error$/, says: /OPENAI_BASE_URL|base URL|address/i },
    { fault: () => ({ fault: 'empty' }), code: /^model_error$/, says: /OPENAI_BASE_URL|base URL|address/i },
  ]
  let fault: ModelScript = []
  await using model = await startModelServer((request, number) =>
    typeof fault === 'function' ? fault(request, number) : { text: 'unset' },
  )
  const service = await startService({
    databaseUrl: db.url,
    env: { OPENAI_BASE_URL: `${model.url}/v1`, OPENAI_API_KEY: key },
  })
  const at = `/v1/organizations/${service.organizationId}`
  for (const row of faults) {
    fault = row.fault
    const made = await service.call<{ id: number }>('POST', `${at}/agent/run`, { prompt: 'Anything' })
    const run = await service.untilEnded(made.id)
    assert.equal(run.status, 'failed')
    assert.match(run.error?.code ?? '', row.code, JSON.stringify(run.error))
    assert.match(run.error?.message ?? '', row.says)
    const last = (await service.log(made.id)).at(-1)
    assert.deepEqual([last?.message_type, last?.observation], ['ERROR', run.error?.message])
    assert.equal(JSON.stringify([run, last]).includes(key), false)
  }
})
