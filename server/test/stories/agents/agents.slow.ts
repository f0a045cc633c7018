// Whatever a run must be able to do, with each engine that a model drives: the built-in one, and the agents that people use, as npm has
// them, against a scripted model. They are large, so those are tried that RUNWRIGHT_TEST_AGENTS names, and one of them where it is not
// set. With RUNWRIGHT_TEST_AGENTS_TABLE=docs/engines.md the table there says what was seen.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { after, afterEach, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JsonObject } from '#base/json.ts'
import { findInDatabase } from '#test/find-canary.ts'
import { makeRepository, receipts } from '#test/example-repository.ts'
import { serveMcp } from '#test/mcp-server.ts'
import { startModelServer, type ModelServerRequest, type ScriptedReply } from '#test/model-server.ts'
import { releasedBy, startService, type RunAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { writeSeen, type Seen } from './write-seen.ts'

const key = 'sk-test-key-that-must-never-be-seen-0123456789'
const root = path.resolve(import.meta.dirname, '../../../..')
/** Agents start slowly on a busy machine. */
const PATIENT_MS = 180_000
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
/** Those of runs that a run starts. Both are known by words of their prompts that no agent uses of its own accord. */
let childActions: Action[] = []
const child = 'grasshopper'
const parent = 'dandelion'

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
  const isChild = text.includes(child) && !text.includes(parent)
  const action = (isChild ? childActions : actions).shift() ?? { text: 'There is nothing left to do.' }
  if ('text' in action) return action
  // The built-in agent's own.
  if (shell.name === 'shell') return { text: 'Now this.', calls: [callBuiltIn(action)] }
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

function callBuiltIn(action: Exclude<Action, { text: string }>): { name: string; input: JsonObject } {
  if ('command' in action) return { name: 'shell', input: { command: action.command } }
  if ('file' in action) return { name: 'write', input: { path: action.file, content: action.content } }
  const { tool, input } = action
  const names: Record<string, string> = { ask_person: 'ask_user', crm__add: 'mcp__crm__add' }
  return { name: names[tool] ?? tool, input }
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
    RUNWRIGHT_MODEL_PRICES: 'anthropic/scripted-1=1/1',
    RUNWRIGHT_PRIVATE_HOSTS: '127.0.0.1',
    GOOGLE_BASE_URL: model.url,
    GOOGLE_GENERATIVE_AI_API_KEY: key,
  },
})
const at = `/v1/organizations/${service.organizationId}`
type ListedEngine = { name: string; available: boolean; reason: string; package: { newest: string } | null }
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

const table = process.env['RUNWRIGHT_TEST_AGENTS_TABLE']

for (const name of (process.env['RUNWRIGHT_TEST_AGENTS'] ?? 'gemini').split(',')) {
  describe(name, () => {
    let repoId: number
    const start = (prompt: string, planned: Action[], more: object = {}): Promise<RunAnswer> => {
      actions = planned
      awaited = ''
      return service.call('POST', `${at}/agent/run`, { prompt, repo_id: repoId, agent_type: name, ...more })
    }
    const inTurn = (id: number, turn: number, status = 'completed') =>
      service.untilRun(
        id,
        (run) => run['turn'] === turn && (run.status === status || run.status === 'failed'),
        PATIENT_MS,
      )
    const seen: Seen = { engine: name, version: null, tests: [] }
    afterEach(
      (context) => void seen.tests.push({ title: context.name, isPassing: 'passed' in context && context.passed }),
    )
    after(() => table && writeSeen(table, seen))

    before(async () => {
      const repo = await service.call<{ id: number }>('POST', `${at}/repos`, {
        name: `receipts-${name}`,
        import_from: makeRepository({ folder: receipts }),
      })
      repoId = repo.id
      if (name === 'builtin') return
      const find = async () => {
        const { items } = await service.call<{ items: ListedEngine[] }>('GET', `${at}/engines?limit=100`)
        return items.find((engine) => engine.name === name)
      }
      assert.match((await find())?.reason ?? '', /engines install/)
      const output = await install(name)
      const installed = await find()
      assert.equal(installed?.available, true, output)
      seen.version = installed.package?.newest ?? null
    })

    test('it fixes a bug in a pull request, and goes on with a follow-up', async () => {
      const ending = finish('The discount now begins at the limit.', {
        title: 'Begin the discount at its limit',
        checks: [{ command: 'node --test', passed: true }],
      })
      const made = await start('Make the failing test pass', [{ command: fix }, { command: 'node --test' }, ...ending])
      const ended = await service.untilEnded(made.id, PATIENT_MS)
      assert.equal(ended.status, 'completed', `${JSON.stringify(ended)}\n${service.said()}`)
      assert.match(ended.result ?? '', /^The discount now begins at the limit\.\n\nChecks:\n- `node --test`: passed/)
      assert.ok((ended as unknown as { usage: { input_tokens: number } }).usage.input_tokens > 0)
      // Those that run inside have what they claim to have seen run once more; the built-in agent's log shows it.
      const all = await service.log(made.id)
      const log = all.filter(({ tool_name }) => tool_name !== 'check')
      assert.equal(all.length - log.length, name === 'builtin' ? 0 : 1, JSON.stringify(all))
      assert.deepEqual(
        log.map((entry) => entry.message_type),
        ['USER_MESSAGE', 'ACTION', 'ACTION', 'ACTION', 'INITIAL_PR_GENERATION', 'FINAL_ANSWER'],
        JSON.stringify(all),
      )
      assert.doesNotMatch(log.map(({ thought }) => thought).join('\n'), /warning|metadata/i)
      assert.equal(log[3]?.tool_name, 'verify')
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
      const look = "grep '^# Notes' notes.md"
      const ending = finish('There are notes.', { checks: [{ command: look }] })
      const { id } = await start('Write notes', [written, { command: look }, ...ending], { repo_id: repo.id })
      const ended = await service.untilEnded(id, PATIENT_MS)
      const log = await service.log(id)
      assert.match(ended.result ?? '', /There are notes\.[^]*passed/, JSON.stringify(log))
      const [hook, ...more] = log.filter(({ tool_name }) => tool_name === 'after_edit')
      assert.deepEqual([hook?.tool_input?.['path'], more.length], ['notes.md', 0], JSON.stringify(log))
    })

    test('it answers in the form that was asked for', async () => {
      const output_schema = { type: 'object', properties: { files: { type: 'integer' } }, required: ['files'] }
      const answers = ['three', 3].flatMap((files) => finish('They are counted.', { output: { files } }).slice(0, 1))
      const { id } = await start('Count the files', [...answers, { text: 'Done.' }], { output_schema })
      const ended = await service.untilEnded(id, PATIENT_MS)
      assert.deepEqual(ended['result_json'], { files: 3 }, JSON.stringify(await service.log(id)))
    })

    test('it is told the rules of the organization and the checks of the repository', async () => {
      await service.call('PUT', `${at}/rules`, { rules: 'Write as a heron would.' })
      await service.call('PATCH', `${at}/repos/${repoId}`, {
        check_commands: [{ name: 'heron', command: 'test -d src' }],
      })
      const { id } = await start('Look around', finish('I looked.'))
      await service.untilEnded(id, PATIENT_MS)
      assert.match(heldByModel(), /Write as a heron would\./)
      assert.match(heldByModel(), /test -d src/)
      await service.call('PATCH', `${at}/repos/${repoId}`, { check_commands: [] })
    })

    test('it calls tools of MCP servers, whose secrets it cannot read', async () => {
      const calls: string[] = []
      await using mcp = await serveMcp({ calls })
      await service.call('PUT', `${at}/secrets/CRM_TOKEN`, { value: 'crm-token-4711-value' })
      const headers = { Authorization: 'Bearer ${CRM_TOKEN}' }
      const server = await service.call<{ id: number }>('POST', `${at}/mcp-servers`, {
        name: 'crm',
        url: mcp.url,
        headers,
      })
      const { id } = await start('Add up', [{ tool: 'crm__add', input: { a: 40, b: 2 } }, ...finish('It is 42.')])
      await service.untilEnded(id, PATIENT_MS)
      assert.deepEqual(calls, ['add 40 2'], JSON.stringify(await service.log(id)))
      assert.equal(mcp.seen.at(-1)?.headers.authorization, 'Bearer crm-token-4711-value')
      assert.ok(!model.requests.some(({ text }) => text.includes('crm-token')))
      await service.ask('DELETE', `${at}/mcp-servers/${server.id}`)
    })

    test('it starts another run, and reads what became of it', async () => {
      childActions = finish('The grass is short.')
      const planned = [
        { tool: 'start_run', input: { prompt: `Look at the grass, ${child}` } },
        { tool: 'read_runs', input: {} },
      ]
      const { id } = await start(`Have it looked at, ${parent}`, [...planned, ...finish('It was looked at.')])
      const ended = await service.untilEnded(id, PATIENT_MS)
      assert.equal(ended.result, 'It was looked at.', JSON.stringify(await service.log(id)))
      assert.match(heldByModel(), /The grass is short\./)
      const children = await service.call<{ items: RunAnswer[] }>('GET', `${at}/agent/runs?parent_run_id=${id}`)
      assert.deepEqual(
        children.items.map(({ status }) => status),
        ['completed'],
      )
    })

    test('it has faults located and changes tried', async () => {
      const change = { path: 'src/discounts.js', old_text: 'cents > from', new_text: 'cents >= from' }
      const tried = { tool: 'try_change', input: { alternatives: [change] } }
      const { id } = await start('Find it', [{ tool: 'locate_fault', input: {} }, tried, ...finish('It is found.')])
      await service.untilEnded(id, PATIENT_MS)
      const log = await service.log(id)
      const entryOf = (tool: string) => JSON.stringify(log.find(({ tool_name }) => tool_name === tool)?.observation)
      assert.match(entryOf('locate_fault'), /src\/discounts\.js/, JSON.stringify(log))
      assert.match(entryOf('try_change'), /passes|pass/, JSON.stringify(log))
    })

    test('it asks a person, and goes on with the answer', async () => {
      const question = { question: 'Which limit?', options: ['ten', 'twenty'] }
      const { id } = await start('Ask me', [{ tool: 'ask_person', input: question }, ...finish('It is twenty.')])
      const waiting = await service.untilRun(id, (run) => !['queued', 'in_progress'].includes(run.status), PATIENT_MS)
      assert.equal(waiting.status, 'waiting_for_user', `${heldByModel()} ${JSON.stringify(await service.log(id))}`)
      await service.call('POST', `${at}/agent/run/${id}/questions/1/answer`, { answer: 'twenty' })
      const ended = await service.untilEnded(id, PATIENT_MS)
      assert.equal(ended.result, 'It is twenty.', JSON.stringify(await service.log(id)))
      assert.match(heldByModel(), /Your call of ask_person has this result:\\ntwenty|Person: twenty|"content":"twenty"/)
    })

    test('it changes nothing before its plan is approved', async () => {
      const plan = { tool: 'plan', input: { steps: [{ text: 'Fix the limit', status: 'pending' }] } }
      const later = [
        { command: fix },
        { command: 'node --test' },
        ...finish('It is fixed.', { checks: [{ command: 'node --test' }] }),
      ]
      const { id } = await start('Fix it', [{ command: fix }, plan, ...later], { plan_approval: true })
      await service.untilRun(id, (run) => run.status === 'waiting_for_user', PATIENT_MS)
      const workspace = path.join(service.dataDir, 'sandboxes', `run-${service.organizationId}-${id}`, 'workspace')
      assert.match(readFileSync(path.join(workspace, 'src/discounts.js'), 'utf8'), /cents > from/)
      await service.call('POST', `${at}/agent/run/${id}/questions/1/answer`, { answer: 'approve' })
      const ended = await service.untilEnded(id, PATIENT_MS)
      assert.match(ended.result ?? '', /`node --test`: passed/, JSON.stringify(await service.log(id)))
    })

    test('it hears what is said to it while it works', async () => {
      const { id } = await start('Wait', [{ command: releasedBy('one') }])
      await untilRunning(id)
      actions = finish('I heard you.')
      awaited = 'zebra'
      await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: id, prompt: 'Stop waiting, zebra' })
      service.release(id, 'one')
      const ended = await service.untilEnded(id, PATIENT_MS)
      assert.equal(ended.result, 'I heard you.', JSON.stringify(await service.log(id)))
    })

    test('a pause ends it, and it goes on when the run is resumed', async () => {
      const { id } = await start('Wait', [{ command: releasedBy('one') }])
      await untilRunning(id)
      await service.call('POST', `${at}/agent/run/${id}/pause`)
      // Between two of its tools.
      actions = [{ command: 'ls' }]
      service.release(id, 'one')
      await service.untilRun(id, (run) => run.status === 'paused', PATIENT_MS)
      assert.deepEqual(programsOf(id), [])
      actions = finish('I went on.')
      await service.call('POST', `${at}/agent/run/${id}/continue`)
      const ended = await service.untilEnded(id, PATIENT_MS)
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
      const ended = await service.untilEnded(id, PATIENT_MS)
      assert.equal(ended.result, 'I was interrupted.', JSON.stringify(await service.log(id)))
      const tools = (await service.log(id)).filter((entry) => entry.message_type === 'ACTION')
      assert.match(String(tools[0]?.observation), /was interrupted while it used this tool|interrupted by a restart/)
      assert.equal(tools.length, 1)
      assert.match(heldByModel(), /Wait for the moon/)
      other.kill()
    })

    test('it is paused where its money is spent', async () => {
      const { id } = await start('Look', [{ command: 'ls' }, { command: 'ls -l' }], { max_cost_usd: 0.000_001 })
      const paused = await service.untilRun(id, (run) => !['queued', 'in_progress'].includes(run.status), PATIENT_MS)
      assert.deepEqual([paused.status, paused['status_detail']], ['paused', 'budget_reached'], JSON.stringify(paused))
    })

    test('what it may not reach is refused, and told', async () => {
      const command = "curl -sS --max-time 5 https://elsewhere.example/ || echo 'it was refused'"
      const { id } = await start('Look there', [{ command }, ...finish('It cannot be reached.')])
      const ended = await service.untilEnded(id, PATIENT_MS)
      assert.equal(ended.status, 'completed')
      const sandboxes = await service.call<{ items: { id: string }[] }>('GET', `${at}/sandboxes?run_id=${id}`)
      const egress = await service.call('GET', `${at}/sandboxes/${sandboxes.items[0]?.id}/egress`)
      assert.match(JSON.stringify(egress), /elsewhere\.example/)
    })
  })
}

/** Until the agent's command is at work. */
async function untilRunning(id: number): Promise<void> {
  const begun = `select 1 from steps where run_id = $1 and state = 'started' and (key like 't_/agent/%' or key like 't_/tool/%')`
  const until = Date.now() + PATIENT_MS
  while ((await db.query(begun, [id])).rows.length === 0) {
    assert.ok(Date.now() < until, service.said())
    await sleep(50)
  }
}
