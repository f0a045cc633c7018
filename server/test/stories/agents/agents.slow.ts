// Agents that people use, as npm has them, against a scripted model: whatever a run must be able to do, with each of them. They are
// large, so those are tried that RUNWRIGHT_TEST_AGENTS names, and one of them where it is not set.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '#base/json.ts'
import { findInDatabase } from '#test/find-canary.ts'
import { makeRepository, receipts } from '#test/example-repository.ts'
import { startModelServer, type ModelServerRequest, type ScriptedReply } from '#test/model-server.ts'
import { releasedBy, startService, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const key = 'sk-test-key-that-must-never-be-seen-0123456789'
const root = path.resolve(import.meta.dirname, '../../../..')
const fix = "sed -i 's/cents > from/cents >= from/' src/discounts.js"
const shells = /^(?:bash|shell|run_shell_command|exec_command|shell_command|local_shell)$/i

const writers = /^(?:Write|write_file)$/

/** What the model does next, whichever agent asks: a command, a new file by the agent's own means, a tool of ours, or words alone. */
type Action =
  | { command: string }
  | { file: string; content: string }
  | { tool: string; input: JsonObject }
  | { text: string }
let actions: Action[] = []
/** What it has to hear first; what it is asked before says nothing that counts. */
let awaited = ''

const finish = (summary: string, more: JsonObject = {}): Action[] => [
  { tool: 'finish', input: { summary, ...more } },
  { text: 'Done.' },
]

function reply({ body, text }: ModelServerRequest): ScriptedReply {
  const tools = toolsOf(body)
  const shell = tools.find(({ name }) => shells.test(name))
  // Some ask for a title without offering a tool.
  if (!shell) return { text: 'A title' }
  if (!text.includes(awaited)) return { text: 'I wait.' }
  const action = actions.shift() ?? { text: 'There is nothing left to do.' }
  if ('text' in action) return action
  const writer = tools.find(({ name }) => writers.test(name))
  if ('file' in action && writer) {
    const { file, content } = action
    const place = path.posix.join('/workspace', file)
    return { calls: [{ name: writer.name, input: { file_path: place, content } }] }
  }
  // OpenCode offers this one to models of OpenAI, in place of another.
  if ('file' in action && shell.name === 'bash')
    return { calls: [{ name: 'apply_patch', input: { patchText: patchOf(action) } }] }
  if ('command' in action || 'file' in action) {
    // Codex knows a command that is none by its name.
    const command = 'command' in action ? action.command : `apply_patch <<'EOF'\n${patchOf(action)}EOF\n`
    const input = /exec_command/.test(shell.name) ? { cmd: command } : { command, description: 'Go on' }
    return { text: `Now: ${command.slice(0, 20)}`, calls: [{ name: shell.name, input }] }
  }
  const own = tools.find(({ name }) => name.includes('runwright') && name.endsWith(action.tool))
  if (own) return { calls: [{ name: own.name, input: action.input }] }
  const spaced = tools.find(({ name, space }) => space?.includes('runwright') && name === action.tool)
  if (!spaced?.space) return { text: `There is no ${action.tool} among ${tools.map(({ name }) => name).join()}` }
  return { calls: [{ name: spaced.name, namespace: spaced.space, input: action.input }] }
}

const patchOf = ({ file, content }: { file: string; content: string }) =>
  `*** Begin Patch\n*** Add File: ${file}\n+${content}\n*** End Patch\n`

/** Of each wire, and those that stand in a namespace. */
function toolsOf(body: JsonObject): { name: string; space?: string }[] {
  const found: { name: string; space?: string }[] = []
  const look = (value: unknown, space?: string): void => {
    if (Array.isArray(value)) return value.forEach((one) => look(one, space))
    if (typeof value !== 'object' || value === null) return
    const { name, type, tools, function: inner, functionDeclarations } = value as Record<string, unknown>
    if (type === 'namespace') return look(tools, String(name))
    if (typeof name === 'string') found.push({ name, ...(space && { space }) })
    look(inner, space)
    look(functionDeclarations, space)
  }
  look(body['tools'])
  return found
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
const heldByModel = () => JSON.stringify(model.requests.at(-1)?.body)

async function install(name: string): Promise<string> {
  const argv = ['server/src/main.ts', 'engines', 'install', name]
  const env = { ...process.env, RUNWRIGHT_DATA_DIR: service.dataDir }
  const child = spawn(process.execPath, argv, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const printed = await Promise.all([text(child.stdout), text(child.stderr)])
  return printed.join('')
}

/** Of whoever holds the run. */
async function findWorker(runId: number): Promise<number> {
  const { rows } = await db.query<{ name: string }>(
    'select w.name from run_heads h join workers w on w.id = h.worker_id where h.run_id = $1',
    [runId],
  )
  return Number(rows[0]?.name.split('-').at(-2))
}

/** Programs that run in the sandbox of a run. */
function programsOf(runId: number): string[] {
  return readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return []
    try {
      const environment = readFileSync(`/proc/${pid}/environ`, 'utf8')
      return environment.includes(`/run-${service.organizationId}-${runId}/`) ? [pid] : []
    } catch {
      return []
    }
  })
}

for (const name of (process.env['RUNWRIGHT_TEST_AGENTS'] ?? 'gemini').split(',')) {
  describe(name, () => {
    let repoId: number
    const start = (prompt: string, planned: Action[], more: object = {}): Promise<RunAnswer> => {
      actions = planned
      awaited = ''
      return service.call('POST', `${at}/agent/run`, { prompt, repo_id: repoId, agent_type: name, ...more })
    }
    const inTurn = (id: number, turn: number, status = 'completed') =>
      service.untilRun(id, (run) => run['turn'] === turn && (run.status === status || run.status === 'failed'), 120_000)

    test('it is installed, fixes a bug in a pull request, and goes on with a follow-up', async () => {
      const before = await service.call<{ items: { name: string; reason: string }[] }>('GET', `${at}/engines?limit=100`)
      assert.match(before.items.find((engine) => engine.name === name)?.reason ?? '', /engines install/)
      const output = await install(name)
      const folder = makeRepository({ folder: receipts })
      const repo = await service.call<{ id: number }>('POST', `${at}/repos`, {
        name: `receipts-${name}`,
        import_from: folder,
      })
      repoId = repo.id
      const ending = finish('The discount now begins at the limit.', {
        title: 'Begin the discount at its limit',
        checks: [{ command: 'node --test', passed: true }],
      })
      const made = await start('Make the failing test pass', [{ command: fix }, { command: 'node --test' }, ...ending])
      const ended = await service.untilEnded(made.id, 120_000)
      assert.equal(ended.status, 'completed', `${output}\n${JSON.stringify(ended)}\n${service.said()}`)
      assert.match(ended.result ?? '', /^The discount now begins at the limit\.\n\nChecks:\n- `node --test`: passed/)
      assert.ok((ended as unknown as { usage: { input_tokens: number } }).usage.input_tokens > 0)
      const log = await service.log(made.id)
      assert.deepEqual(
        log.map((entry) => entry.message_type),
        ['USER_MESSAGE', 'ACTION', 'ACTION', 'ACTION', 'ACTION', 'INITIAL_PR_GENERATION', 'FINAL_ANSWER'],
        JSON.stringify(log),
      )
      assert.doesNotMatch(log.map(({ thought }) => thought).join('\n'), /warning|metadata/i)
      assert.deepEqual([log[3]?.tool_name, log[4]?.tool_name], ['check', 'verify'])
      const [pull] = ended.github_pull_requests
      assert.ok(pull)
      actions = [{ command: 'git log --oneline' }, ...finish('There are two commits.')]
      await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: made.id, prompt: 'Look at the commits' })
      const next = await inTurn(made.id, 2)
      assert.equal(next.result, 'There are two commits.')
      assert.match(heldByModel(), /Make the failing test pass/)
      assert.deepEqual(await findInDatabase(db, key), [])
      assert.ok(!service.said().includes(key))
    })

    test('a hook of the repository formats what it has written, before its claim is looked at', async () => {
      const hooks = `hooks:\n  after_edit: [{ paths: ['*.md'], command: 'sed -i "s/^/# /" "$1"' }]\n`
      const importFrom = makeRepository({ '.runwright.yml': hooks, 'README.md': '# Shop\n' })
      const repo = await service.call<{ id: number }>('POST', `${at}/repos`, {
        name: `hooks-${name}`,
        import_from: importFrom,
      })
      const written = { file: 'notes.md', content: 'Notes' }
      const planned = [written, ...finish('There are notes.', { checks: [{ command: "grep '^# Notes' notes.md" }] })]
      const { id } = await start('Write notes', planned, { repo_id: repo.id })
      const ended = await service.untilEnded(id, 120_000)
      const log = await service.log(id)
      assert.match(ended.result ?? '', /There are notes\.[^]*passed/, JSON.stringify(log))
      const [hook, ...more] = log.filter(({ tool_name }) => tool_name === 'after_edit')
      assert.deepEqual([hook?.tool_input?.['path'], more.length], ['notes.md', 0], JSON.stringify(log))
    })

    test('it asks a person, and goes on with the answer', async () => {
      const question = { question: 'Which limit?', options: ['ten', 'twenty'] }
      const { id } = await start('Ask me', [{ tool: 'ask_person', input: question }, ...finish('It is twenty.')])
      const waiting = await service.untilRun(id, (run) => !['queued', 'in_progress'].includes(run.status), 60_000)
      assert.equal(waiting.status, 'waiting_for_user', `${heldByModel()} ${JSON.stringify(await service.log(id))}`)
      await service.call('POST', `${at}/agent/run/${id}/questions/1/answer`, { answer: 'twenty' })
      const ended = await service.untilEnded(id, 60_000)
      assert.equal(ended.result, 'It is twenty.', JSON.stringify(await service.log(id)))
      assert.match(heldByModel(), /Your call of ask_person has this result:\\ntwenty|Person: twenty/)
    })

    test('it changes nothing before its plan is approved', async () => {
      const plan = { tool: 'plan', input: { steps: [{ text: 'Fix the limit', status: 'pending' }] } }
      const later = [{ command: fix }, ...finish('It is fixed.', { checks: [{ command: 'node --test' }] })]
      const { id } = await start('Fix it', [{ command: fix }, plan, ...later], { plan_approval: true })
      await service.untilRun(id, (run) => run.status === 'waiting_for_user', 60_000)
      const workspace = path.join(service.dataDir, 'sandboxes', `run-${service.organizationId}-${id}`, 'workspace')
      assert.match(readFileSync(path.join(workspace, 'src/discounts.js'), 'utf8'), /cents > from/)
      await service.call('POST', `${at}/agent/run/${id}/questions/1/answer`, { answer: 'approve' })
      const ended = await service.untilEnded(id, 60_000)
      assert.match(ended.result ?? '', /`node --test`: passed/, JSON.stringify(await service.log(id)))
    })

    test('it hears what is said to it while it works', async () => {
      const { id } = await start('Wait', [{ command: releasedBy('one') }])
      await untilRunning(id)
      actions = finish('I heard you.')
      awaited = 'zebra'
      await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: id, prompt: 'Stop waiting, zebra' })
      service.release(id, 'one')
      const ended = await service.untilEnded(id, 60_000)
      assert.equal(ended.result, 'I heard you.', JSON.stringify(await service.log(id)))
    })

    test('a pause ends it, and it goes on when the run is resumed', async () => {
      const { id } = await start('Wait', [{ command: releasedBy('one') }])
      await untilRunning(id)
      await service.call('POST', `${at}/agent/run/${id}/pause`)
      // Between two of its tools.
      actions = [{ command: 'ls' }]
      service.release(id, 'one')
      await service.untilRun(id, (run) => run.status === 'paused', 30_000)
      assert.deepEqual(programsOf(id), [])
      actions = finish('I went on.')
      await service.call('POST', `${at}/agent/run/${id}/continue`)
      const ended = await service.untilEnded(id, 60_000)
      assert.equal(ended.result, 'I went on.', JSON.stringify(await service.log(id)))
    })

    test('a stop ends it with all that it has started', async () => {
      const { id } = await start('Wait', [{ command: releasedBy('never') }])
      await untilRunning(id)
      await service.call('POST', `${at}/agent/run/${id}/cancel`)
      assert.equal((await service.untilEnded(id, 20_000)).status, 'cancelled')
      assert.deepEqual(programsOf(id), [])
    })

    test('it goes on in its session where its worker is killed', async () => {
      const other = await service.startWorker()
      const { id } = await start('Wait for the moon', [{ command: releasedBy('never') }])
      await untilRunning(id)
      actions = finish('I was interrupted.')
      process.kill(await findWorker(id), 'SIGKILL')
      const ended = await service.untilEnded(id, 90_000)
      assert.equal(ended.result, 'I was interrupted.', JSON.stringify(await service.log(id)))
      const tools = (await service.log(id)).filter((entry) => entry.message_type === 'ACTION')
      assert.match(String(tools[0]?.observation), /was interrupted while it used this tool/)
      assert.equal(tools.length, 1)
      assert.match(heldByModel(), /Wait for the moon/)
      other.kill()
    })

    test('it is paused where its money is spent', async () => {
      const { id } = await start('Look', [{ command: 'ls' }, { command: 'ls -l' }], { max_cost_usd: 0.000_001 })
      const paused = await service.untilRun(id, (run) => !['queued', 'in_progress'].includes(run.status), 60_000)
      assert.deepEqual(
        [paused.status, paused['status_detail']],
        ['paused', 'budget_reached'],
        JSON.stringify(await service.log(id)),
      )
    })

    test('what it may not reach is refused, and told', async () => {
      const command = "curl -sS --max-time 5 https://elsewhere.example/ || echo 'it was refused'"
      const { id } = await start('Look there', [{ command }, ...finish('It cannot be reached.')])
      const ended = await service.untilEnded(id, 60_000)
      assert.equal(ended.status, 'completed')
      const sandboxes = await service.call<{ items: { id: string }[] }>('GET', `${at}/sandboxes?run_id=${id}`)
      const egress = await service.call('GET', `${at}/sandboxes/${sandboxes.items[0]?.id}/egress`)
      assert.match(JSON.stringify(egress), /elsewhere\.example/)
    })
  })
}

/** Until the agent's command is at work. */
async function untilRunning(id: number): Promise<void> {
  const begun = `select 1 from steps where run_id = $1 and state = 'started' and key like 't_/agent/%'`
  const until = Date.now() + 60_000
  while ((await db.query(begun, [id])).rows.length === 0) {
    assert.ok(Date.now() < until, service.said())
    await sleep(50)
  }
}
