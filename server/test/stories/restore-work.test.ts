import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { removeTree } from '#adapters/sandboxes/remove-tree.ts'
import { makeRepository } from '#test/example-repository.ts'
import { startModelServer, type ModelServerRequest, type ScriptedReply } from '#test/model-server.ts'
import { s3Settings, startS3Server } from '#test/s3-server.ts'
import { startProcess, startService, stopProcess, type LogAnswer } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const store = await startS3Server()
after(() => store[Symbol.asyncDispose]())
const shared = mkdtempSync(path.join(os.tmpdir(), 'runwright-shared-'))
chmodSync(shared, 0o711)
const model = await startModelServer((request) => replyTo(request))
after(() => model.close())
let replyTo: (request: ModelServerRequest) => ScriptedReply | Promise<ScriptedReply> = () => ({ text: 'unset' })
const env = {
  RUNWRIGHT_SECRET_KEY: 'the secret key of all machines of this test',
  RUNWRIGHT_IMPORT_PATHS: os.tmpdir(),
  RUNWRIGHT_GIT_DIR: path.join(shared, 'git'),
  RUNWRIGHT_BLOBS: `s3://${s3Settings.bucket}/blobs`,
  RUNWRIGHT_S3_ENDPOINT: store.url,
  RUNWRIGHT_S3_REGION: s3Settings.region,
  RUNWRIGHT_S3_ACCESS_KEY_ID: s3Settings.accessKeyId,
  RUNWRIGHT_S3_SECRET_ACCESS_KEY: s3Settings.secretAccessKey,
  OPENAI_BASE_URL: `${model.url}/v1`,
}
const service = await startService({ databaseUrl: db.url, role: 'api', env })
const at = `/v1/organizations/${service.organizationId}`

type Machine = { dataDir: string; end(signal: NodeJS.Signals): Promise<void> }

const started: { dataDir: string; child: ChildProcess }[] = []
after(async () => {
  for (const { dataDir, child } of started) {
    await stopProcess(child)
    await removeTree(dataDir)
  }
})
// Once nothing writes there any more: these are done in their order.
after(() => rm(shared, { recursive: true, force: true }))

function makeDataDir(): string {
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'runwright-machine-'))
  chmodSync(dataDir, 0o711)
  return dataDir
}

/** A worker with a data folder of its own, as on a machine of its own. */
async function startMachine(dataDir = makeDataDir()): Promise<Machine> {
  const { child, ready } = startProcess('worker', {
    env: { ...env, DATABASE_URL: db.url, RUNWRIGHT_DATA_DIR: dataDir },
    onSaid: (text) => (output = `${output}${text}`.slice(-20_000)),
  })
  started.push({ dataDir, child })
  await ready
  return {
    dataDir,
    end: async (signal) => {
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill(signal)
      await ended
    },
  }
}
let output = ''

let repositories = 0
async function makeRepo(files: Record<string, string> = { 'a.txt': 'a\n' }): Promise<number> {
  const name = `counted-${++repositories}`
  return (await service.call<{ id: number }>('POST', `${at}/repos`, { name, import_from: makeRepository(files) })).id
}

const create = async (script: object[], more: object = {}) => {
  const body = { prompt: 'Count', repo_id: await makeRepo(), agent_type: 'scripted', metadata: { script }, ...more }
  return (await service.call<{ id: number }>('POST', `${at}/agent/run`, body)).id
}
const count = (steps: number) => ({ shell: 'echo step {n} >> steps.txt; sleep 0.1', repeat: steps })
const kept = async (runId: number) =>
  (
    await db.query<{ n: number; step: number; sha256: string }>(
      'select n, step, sha256 from checkpoints where run_id = $1 order by n desc',
      [runId],
    )
  ).rows
async function untilKept(runId: number, n = 1): Promise<void> {
  const until = Date.now() + 60_000
  while (((await kept(runId))[0]?.n ?? 0) < n) {
    assert.ok(Date.now() < until, `no checkpoint ${n} of run ${runId}\n${output}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
const diffOf = async (id: number) => (await service.ask('GET', `${at}/agent/run/${id}/diff`)).text()
const stepsIn = (diff: string) => [...diff.matchAll(/^\+step (\d+)$/gm)].map((match) => Number(match[1]))
const upTo = (steps: number) => Array.from({ length: steps }, (_, index) => index + 1)

function restoredIn(log: LogAnswer[]): { thought: string; observation: Record<string, unknown> }[] {
  return log.flatMap(({ message_type, thought, observation }) =>
    message_type === 'PLAN_EVALUATION' && (observation as Record<string, unknown> | null)?.['restored_from']
      ? [{ thought: thought ?? '', observation: observation as Record<string, unknown> }]
      : [],
  )
}

async function completed(id: number, turn = 1) {
  const run = await service.untilRun(
    id,
    ({ status, ...run }) => run['turn'] === turn && /completed|failed/.test(status),
  )
  assert.ifError(replyFault)
  assert.equal(run.status, 'completed', JSON.stringify(run.error) + output)
  return run
}

const finish = (summary: string): ScriptedReply => ({ calls: [{ name: 'finish', input: { summary } }] })
type Reply = ScriptedReply | ((request: ModelServerRequest) => ScriptedReply | Promise<ScriptedReply>)

let replyFault: unknown

/** A run of the built-in agent whose model replies so, in order. What fails in a reply fails the test. */
async function converse(replies: Reply[]): Promise<number> {
  replyTo = async (request) => {
    const reply = replies.shift() ?? { text: 'The script has ended.' }
    try {
      return typeof reply === 'function' ? await reply(request) : reply
    } catch (error) {
      replyFault ??= error
      return { status: 400, message: String(error) }
    }
  }
  return create([], { agent_type: 'builtin', metadata: {} })
}

/** The machine is gone, with all that lay on it; another one comes. */
async function replace(lost: Machine, signal: NodeJS.Signals = 'SIGKILL'): Promise<Machine> {
  await lost.end(signal)
  await removeTree(lost.dataDir)
  return startMachine()
}

/** The machine comes back without what its sandboxes held. */
async function wipe({ dataDir, end }: Machine): Promise<Machine> {
  await end('SIGKILL')
  await removeTree(path.join(dataDir, 'sandboxes'))
  return startMachine(dataDir)
}

/** Of one checkpoint the bytes are changed, others are gone. */
async function damage(runId: number): Promise<void> {
  for (const [index, { sha256 }] of (await kept(runId)).entries()) {
    const key = `blobs/${service.organizationId}/${sha256.slice(0, 2)}/${sha256}`
    const object = store.objects.get(key)
    assert.ok(object)
    if (index) store.objects.delete(key)
    else object.bytes = Buffer.from(object.bytes.map((byte) => byte ^ 1))
  }
}

let machine = await startMachine()

test('a worker and its folder are lost: another machine goes on from the last checkpoint and says what was lost', async () => {
  const id = await create([{ write: { path: 'early.txt', content: 'early\n' } }, count(20), { answer: 'Counted.' }])
  await untilKept(id)
  await service.untilLogged(id, (await service.log(id)).length + 4)
  machine = await replace(machine)
  const run = await completed(id)
  const log = await service.log(id)
  assert.deepEqual(
    log.map(({ seq }) => seq),
    upTo(log.length),
  )
  const [restored, ...more] = restoredIn(log)
  assert.equal(more.length, 0)
  assert.partialDeepStrictEqual(restored?.observation, { restored_from: 'checkpoint', reason: 'other_machine' })
  const lost = restored?.observation['lost'] as string[]
  assert.ok(lost.length > 0 && lost.every((words) => /^shell: echo step \d+ >> steps\.txt/.test(words)), `${lost}`)
  assert.match(restored?.thought ?? '', /^The work goes on from the checkpoint after step \d+/)
  const again = log.filter(({ tool_output }) => tool_output?.['repeated'])
  assert.ok(again.length >= lost.length && again.length <= lost.length + 1)
  const diff = await diffOf(id)
  assert.match(diff, /^\+early$/m)
  assert.deepEqual(stepsIn(diff), upTo(20))
  assert.equal(run.github_pull_requests.length, 1)
  assert.deepEqual(await kept(id), [], 'once the work is on its branch no checkpoint is kept')
})

test('what an agent has pushed itself is there on the next machine, with what its checkpoint holds beside', async () => {
  const push = 'echo pushed > pushed.txt && git add . && git commit -qm pushed && git push -q origin HEAD'
  const id = await create([{ shell: push }, count(30), { answer: 'Counted.' }])
  await untilKept(id)
  machine = await replace(machine)
  await completed(id)
  const log = await service.log(id)
  assert.equal(restoredIn(log)[0]?.observation['restored_from'], 'checkpoint')
  assert.equal(log.filter(({ tool_name }) => tool_name === 'git_push').length, 1)
  const diff = await diffOf(id)
  assert.match(diff, /^\+pushed$/m)
  assert.deepEqual(stepsIn(diff), upTo(30))
})

test('the agent finds its files on the other machine, and is told from where it goes on', async () => {
  const id = await converse([
    { calls: [{ name: 'write', input: { path: 'mine.txt', content: 'mine\n' } }] },
    async () => {
      await untilKept(id)
      machine = await replace(machine)
      return { fault: 'cut' }
    },
    { calls: [{ name: 'shell', input: { command: 'cat mine.txt && git log --oneline' } }] },
    ({ text }) => {
      assert.match(text, /The work goes on from the checkpoint after step \d+.*Nothing that was done is lost/s)
      assert.match(text, /mine\\n[0-9a-f]{7} Begin/)
      return finish('Written.')
    },
  ])
  const run = await completed(id)
  assert.deepEqual([run.result, run.github_pull_requests.length], ['Written.', 1])
  assert.match(await diffOf(id), /^\+mine$/m)
})

test('a machine that comes back after another one went on does not take its old files for the run’s', async () => {
  const id = await create([count(40), { answer: 'Counted.' }])
  await untilKept(id)
  const old = machine
  await old.end('SIGKILL')
  const between = await startMachine()
  await untilKept(id, 2)
  await between.end('SIGKILL')
  await removeTree(between.dataDir)
  machine = await startMachine(old.dataDir)
  await completed(id)
  const restores = restoredIn(await service.log(id)).map(({ observation }) => observation)
  assert.deepEqual(
    restores.map(({ restored_from, reason }) => [restored_from, reason]),
    [
      ['checkpoint', 'other_machine'],
      ['checkpoint', 'other_machine'],
    ],
  )
  assert.deepEqual(stepsIn(await diffOf(id)), upTo(40))
})

test('a checkpoint that is damaged or gone is passed over: the work goes on from the branch, and the agent is told what to do again', async () => {
  const write = { calls: [{ name: 'write', input: { path: 'mine.txt', content: 'mine\n' } }] }
  const id = await converse([
    write,
    async () => {
      await untilKept(id)
      await damage(id)
      machine = await wipe(machine)
      return { fault: 'cut' }
    },
    { calls: [{ name: 'shell', input: { command: 'ls' } }] },
    ({ text }) => {
      assert.match(
        text,
        /goes on from the branch .*A newer checkpoint is damaged.*- write: mine\.txt.*do again what is still needed/s,
      )
      return write
    },
    { calls: [{ name: 'shell', input: { command: 'cat mine.txt' } }] },
    finish('Written again.'),
  ])
  assert.equal((await completed(id)).result, 'Written again.')
  const [restored] = restoredIn(await service.log(id))
  assert.partialDeepStrictEqual(restored?.observation, {
    restored_from: 'branch',
    reason: 'sandbox_gone',
    passed_over: 'damaged',
    lost: ['write: mine.txt'],
  })
  assert.match(await diffOf(id), /^\+mine$/m)
})

test('a machine that is told to end leaves its last steps to the next one', async () => {
  const id = await create([count(20), { answer: 'Counted.' }])
  await untilKept(id)
  await service.untilLogged(id, (await service.log(id)).length + 4)
  machine = await replace(machine, 'SIGTERM')
  await completed(id)
  const [restored] = restoredIn(await service.log(id))
  assert.partialDeepStrictEqual(restored?.observation, { restored_from: 'checkpoint', lost: [] })
  // The step in which it was told to end is done again, on what it had done.
  const steps = stepsIn(await diffOf(id))
  assert.deepEqual([...new Set(steps)], upTo(20))
  assert.ok(steps.length <= 21)
})

test('what a stopped run had done is there when it is sent on days later, elsewhere', async () => {
  const scripts = [[count(100)], [{ shell: 'wc -l < steps.txt' }, { answer: 'Found.' }]]
  const id = await create([], { metadata: { scripts } })
  await untilKept(id)
  await service.call('POST', `${at}/agent/run/${id}/cancel`)
  await service.untilRun(id, ({ status }) => status === 'cancelled')
  machine = await replace(machine)
  await service.call('POST', `${at}/agent/run/resume`, { agent_run_id: id, prompt: 'Go on' })
  const run = await completed(id, 2)
  assert.equal(run.github_pull_requests.length, 1)
  const [restored] = restoredIn(await service.log(id))
  assert.partialDeepStrictEqual(restored?.observation, { restored_from: 'checkpoint', reason: 'ended_turn' })
  const steps = stepsIn(await diffOf(id))
  assert.ok(steps.length > 0)
  assert.deepEqual(steps, upTo(steps.length))
})

test('a store that is down ends no run; where a checkpoint is needed from it, the run waits for it and loses nothing', async () => {
  const report = 'mkdir -p .runwright/artifacts; echo all is well > .runwright/artifacts/report.txt'
  const undisturbed = await create([count(15), { shell: report }, { answer: 'Counted.' }])
  // A worker that cannot reach the store begins no run.
  await service.untilRun(undisturbed, ({ status }) => status === 'in_progress')
  store.fail({ kind: 'status', status: 503 }, Infinity)
  // A file for people has no other place than the sandbox, so the turn waits with it.
  await service.untilRun(undisturbed, (run) => run.github_pull_requests.length === 1)
  const asked = store.requests.length
  while (store.requests.length < asked + 6) await new Promise((resolve) => setTimeout(resolve, 20))
  store.heal()
  await completed(undisturbed)
  assert.deepEqual(stepsIn(await diffOf(undisturbed)), upTo(15))
  const saved = await service.ask('GET', `${at}/agent/run/${undisturbed}/artifacts/report.txt`)
  assert.equal(await saved.text(), 'all is well\n')
  const id = await create([count(100), { answer: 'Counted.' }])
  await untilKept(id)
  store.fail({ kind: 'status', status: 503 }, Infinity)
  machine = await replace(machine)
  // No worker of which the store cannot be reached takes runs.
  await service.untilRun(id, (run) => run.status === 'queued' && run['status_detail'] === 'no_fit_worker')
  store.heal()
  await completed(id)
  assert.ok(stepsIn(await diffOf(id)).length > 0)
  const seen = output + service.said()
  assert.ok(!seen.includes(s3Settings.secretAccessKey) && !seen.includes(s3Settings.accessKeyId))
})
