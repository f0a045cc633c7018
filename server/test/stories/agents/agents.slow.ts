// Agents that people use, as npm has them, against a scripted model, and a scripted agent in the place of one of them. The real
// ones are large: those are tried that RUNWRIGHT_TEST_AGENTS names, and one of them where it is not set.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { findInDatabase } from '#test/find-canary.ts'
import { makeRepository, receipts } from '#test/example-repository.ts'
import { startModelServer, type ModelServerRequest, type ScriptedReply } from '#test/model-server.ts'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const key = 'sk-test-key-that-must-never-be-seen-0123456789'
const commands = [
  "sed -i 's/cents > from/cents >= from/' src/discounts.js",
  'node --test',
  undefined,
  'git log --oneline',
]
const shells = /^(?:bash|shell|run_shell_command|exec_command|shell_command|local_shell)$/i

let step = 0
/** Uses whatever shell it is offered: changes the file, runs the tests, says what it did; in the next turn it looks around. */
function reply({ body }: ModelServerRequest): ScriptedReply {
  const names = [...JSON.stringify(body['tools'] ?? []).matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name ?? '')
  const shell = names.find((name) => shells.test(name))
  // Some ask for a title without offering a tool.
  if (!shell) return { text: 'A title' }
  const command = commands[step++]
  if (command === undefined) return { text: 'The discount now begins at the limit.' }
  const input = /exec_command/.test(shell) ? { cmd: command } : { command, description: 'Fix it' }
  return { text: `Step ${step}.`, calls: [{ name: shell, input }] }
}

const db = await testDb()
const model = await startModelServer(reply)
after(() => model.close())
const service = await startService({
  databaseUrl: db.url,
  env: {
    RUNWRIGHT_IMPORT_PATHS: os.tmpdir(),
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: key,
    OPENAI_BASE_URL: `${model.url}/v1`,
    OPENAI_API_KEY: key,
    OPENAI_WIRE: 'responses',
    GOOGLE_BASE_URL: model.url,
    GOOGLE_GENERATIVE_AI_API_KEY: key,
  },
})
const at = `/v1/organizations/${service.organizationId}`
const root = path.resolve(import.meta.dirname, '../../../..')

function install(name: string): string {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['bin/node24.mjs', 'server/src/main.ts', 'engines', 'install', name],
    {
      cwd: root,
      env: { ...process.env, RUNWRIGHT_DATA_DIR: service.dataDir },
      encoding: 'utf8',
    },
  )
  return stdout + stderr
}

for (const name of (process.env['RUNWRIGHT_TEST_AGENTS'] ?? 'gemini').split(',')) {
  test(`${name} is installed, fixes a bug in a pull request, and goes on with a follow-up`, async () => {
    step = 0
    const before = await service.call<{ items: { name: string; reason: string }[] }>('GET', `${at}/engines?limit=100`)
    assert.match(before.items.find((engine) => engine.name === name)?.reason ?? '', /engines install/)
    const output = install(name)
    const repo = await service.call<{ id: number }>('POST', `${at}/repos`, {
      name: `receipts-${name}`,
      import_from: makeRepository({ folder: receipts }),
    })
    const more = { prompt: 'Make the failing test pass', repo_id: repo.id, agent_type: name }
    const made = await service.call<{ id: number }>('POST', `${at}/agent/run`, more)
    const ended = await service.untilEnded(made.id, 120_000)
    assert.equal(ended.status, 'completed', `${output}\n${service.said()}`)
    assert.equal(ended.result, 'The discount now begins at the limit.')
    assert.equal(ended.github_pull_requests.length, 1)
    assert.ok((ended as unknown as { usage: { input_tokens: number } }).usage.input_tokens > 0)
    const kinds = (await service.log(made.id)).map((entry) => entry.message_type)
    assert.deepEqual(kinds, ['USER_MESSAGE', 'ACTION', 'ACTION', 'INITIAL_PR_GENERATION', 'FINAL_ANSWER'])
    await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: made.id, prompt: 'Look at the commits' })
    const next = await service.untilRun(made.id, (run) => run['turn'] === 2 && run.status === 'completed', 120_000)
    assert.equal(next.result, 'The discount now begins at the limit.')
    assert.match(JSON.stringify(model.requests.at(-1)?.body), /Make the failing test pass/)
    assert.deepEqual(await findInDatabase(db, key), [])
    assert.ok(!service.said().includes(key))
  })
}

test('an agent goes on in its session when its worker is killed, and a stop ends it', async () => {
  const entry = 'node_modules/@agentclientprotocol/claude-agent-acp/dist/index.js'
  cpSync(
    path.join(root, 'server/test/programs/acp-agent.mjs'),
    path.join(service.dataDir, 'engines/claude_code', entry),
  )
  const repo = await service.call<{ id: number }>('POST', `${at}/repos`, {
    name: 'held',
    import_from: makeRepository({ folder: receipts }),
  })
  const more = { repo_id: repo.id, agent_type: 'claude_code' }
  const made = await service.call<{ id: number }>('POST', `${at}/agent/run`, { prompt: 'DO:fix,hold', ...more })
  const other = await service.startWorker()
  // Its second tool has begun.
  await service.untilLogged(made.id, 3)
  await sleep(500)
  const { pid } = await findWorker(made.id)
  process.kill(pid, 'SIGKILL')
  const ended = await service.untilEnded(made.id, 60_000)
  assert.equal(ended.status, 'completed', service.said())
  const log = await service.log(made.id)
  const tools = log.filter((one) => one.tool_name === 'shell').map((one) => String(one.observation))
  assert.deepEqual(
    tools.map((text) => text.slice(0, 40)),
    ['fixed\n', 'Claude Code was interrupted while it use'],
  )
  assert.match(ended.result ?? '', /told 2 times/)
  other.kill()

  const hanging = await service.call<{ id: number }>('POST', `${at}/agent/run`, { prompt: 'DO:fix,hang', ...more })
  await service.untilLogged(hanging.id, 3)
  await service.call('POST', `${at}/agent/run/${hanging.id}/cancel`)
  assert.equal((await service.untilEnded(hanging.id, 20_000)).status, 'cancelled')
})

/** Of whoever holds the run. */
async function findWorker(runId: number): Promise<{ pid: number }> {
  const { rows } = await db.query<{ name: string }>(
    'select w.name from run_heads h join workers w on w.id = h.worker_id where h.run_id = $1',
    [runId],
  )
  return { pid: Number(rows[0]?.name.split('-').at(-2)) }
}
