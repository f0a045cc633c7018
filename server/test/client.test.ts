import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream, mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { before, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createClient, RunwrightError, type AgentRun, type Client } from '@runwright/sdk'
import { createQuestion } from '#domain/runs/questions/create-question.ts'
import { saveArtifact } from '#domain/runs/artifacts/save-artifact.ts'
import { appendLog, logLines } from '#domain/runs/logs/append-log.ts'
import { makeHeldRun } from './make-run.ts'
import { unique } from './make.ts'
import { readArchive, rowsIn } from './read-archive.ts'
import { testApp } from './test-app.ts'

const { app, url, member } = await testApp()
const main = path.resolve(import.meta.dirname, '../../cli/src/main.ts')
let me: Awaited<ReturnType<typeof member>>
let client: Client

before(async () => {
  me = await member()
  client = createClient({ baseUrl: `${url}/`, token: me.token })
})

type Ended = { code: number; out: string; said: string }

/** The command line as a person starts it. */
function runwright(words: string[], env: Record<string, string> = {}): Promise<Ended> {
  return new Promise((resolve) => {
    const { PATH, NODE_COMPILE_CACHE } = process.env
    const environment = { PATH, NODE_COMPILE_CACHE, RUNWRIGHT_URL: url, RUNWRIGHT_TOKEN: me.token, ...env }
    execFile(process.execPath, [main, ...words], { env: environment }, (error, out, output) => {
      resolve({ code: error ? Number(error.code) : 0, out, said: output })
    })
  })
}

/** A run at work whose log has these thoughts. */
async function makeWorkingRun(thoughts: string[]) {
  const { run, holder } = await makeHeldRun(app.pool, { organizationId: me.organizationId, userId: me.userId })
  const append = async (texts: string[]) => {
    const entries = texts.map((thought) => ({ messageType: 'PLAN_EVALUATION' as const, thought }))
    await appendLog(app.pool, { ...holder, lines: logLines(entries, { turn: 1, mask: (text) => text }) })
  }
  await append(thoughts)
  const end = () =>
    app.pool.query(
      `update run_heads set status = 'completed', worker_id = null, lease_id = null where organization_id = $1 and run_id = $2`,
      [run.organizationId, run.id],
    )
  return { run, append, end }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20))
}

test('the SDK makes, reads, lists, stops and resumes runs', async () => {
  const { organizationId } = me
  const run = await client.runs.createRun({ org_id: organizationId, prompt: 'Fix it', metadata: { ticket: 7 } })
  assert.deepEqual(await client.runs.getRun({ org_id: organizationId, agent_run_id: run.id }), run)
  assert.equal((await client.runs.cancelRun({ org_id: organizationId, agent_run_id: run.id })).status, 'cancelled')
  assert.equal((await client.runs.resumeRun({ org_id: organizationId, agent_run_id: run.id, prompt: 'Again' })).turn, 2)
  const page = await client.runs.listRuns({ org_id: organizationId, status: ['queued', 'failed'], limit: 5 })
  assert.deepEqual(
    page.items.map(({ id }) => id),
    [run.id],
  )
  assert.equal(await client.runs.getRunDiff({ org_id: organizationId, agent_run_id: run.id }), '')
})

test('the SDK knows who it speaks for, and manages repositories, members and tokens', async () => {
  const { organizationId } = me
  assert.equal((await client.users.getMe()).id, me.userId)
  assert.deepEqual(
    (await client.organizations.listOrganizations()).items.map(({ id }) => id),
    [organizationId],
  )
  const repo = await client.repositories.createRepo({ org_id: organizationId, name: unique('repo') })
  assert.deepEqual((await client.repositories.listRepos({ org_id: organizationId })).items, [repo])
  assert.deepEqual(await client.repositories.getRepo({ org_id: organizationId, repo_id: repo.id }), repo)
  const user = await client.organizations.createMember({
    org_id: organizationId,
    email: `${unique('new')}@example.com`,
  })
  const token = await client.tokens.createToken({ org_id: organizationId, name: 'theirs', user_id: user.id })
  assert.equal((await createClient({ baseUrl: url, token: String(token.token) }).users.getMe()).id, user.id)
  assert.equal(await client.tokens.revokeToken({ org_id: organizationId, token_id: token.id }), undefined)
})

test('the SDK and the command line steer a run, and fetch what it left', async () => {
  const { organizationId, userId } = me
  const { run, holder } = await makeHeldRun(app.pool, { organizationId, userId })
  const bytes = Uint8Array.from({ length: 256 }, (_, n) => n)
  const blob = await app.blobs.put(organizationId, bytes)
  await saveArtifact(app.pool, { holder, name: 'all bytes.bin', contentType: 'application/octet-stream', blob })
  assert.deepEqual(
    await client.artifacts.getArtifact({ org_id: organizationId, agent_run_id: run.id, name: 'all bytes.bin' }),
    bytes,
  )
  assert.match((await runwright(['artifacts', String(run.id)])).out, /256 {2}all bytes\.bin/)
  assert.match((await runwright(['message', String(run.id), 'Use tabs'])).out, /Message 2 waits/)
  await client.messages.revokeMessage({ org_id: organizationId, agent_run_id: run.id, n: 2 })
  assert.equal((await client.messages.listMessages({ org_id: organizationId, agent_run_id: run.id })).total, 1)
  assert.match((await runwright(['answer', String(run.id), 'Tabs'])).said, /asks nothing now/)
  const question = {
    holder,
    key: 't1/ask/1',
    kind: 'question' as const,
    text: 'Tabs or spaces?',
    options: ['Tabs', 'Spaces'],
  }
  await createQuestion(app.pool, { ...question, mask: (text) => text })
  assert.match((await runwright(['answer', String(run.id)])).out, /Tabs or spaces\?\n {2}Tabs\n {2}Spaces\n/)
  assert.match((await runwright(['answer', String(run.id), 'Tabs'])).out, /goes on with the answer to question 1/)
  assert.equal(
    (await client.questions.listQuestions({ org_id: organizationId, agent_run_id: run.id })).items[0]?.answer,
    'Tabs',
  )
  assert.match((await runwright(['pause', String(run.id)])).out, /in_progress.* \(pausing\)/)
  assert.match((await runwright(['continue', String(run.id)])).said, /not paused/)
  assert.equal(
    (await client.runs.updateRun({ org_id: organizationId, agent_run_id: run.id, title: 'Better' })).title,
    'Better',
  )
  const { configuration } = await client.runs.dryRun({ org_id: organizationId, prompt: 'Try', agent_type: 'scripted' })
  assert.equal(configuration.agent_type, 'scripted')
})

test('a refusal is an error with its status, code, words and request id', async () => {
  await assert.rejects(client.runs.getRun({ org_id: me.organizationId, agent_run_id: 999_999 }), (error) => {
    assert.ok(error instanceof RunwrightError)
    assert.deepEqual([error.status, error.code], [404, 'run_not_found'])
    assert.match(error.message, /999999/)
    assert.match(error.requestId ?? '', /^[0-9a-f-]{36}$/)
    return true
  })
  const empty = client.runs.createRun({ org_id: me.organizationId, prompt: '' })
  await assert.rejects(empty, {
    status: 400,
    detail: [{ loc: ['body', 'prompt'], msg: 'must not be blank', type: 'pattern' }],
  })
})

test('the SDK follows a log while it grows', async () => {
  const { run, append, end } = await makeWorkingRun(Array.from({ length: 150 }, (_, n) => `thought ${n + 1}`))
  const read: number[] = []
  for await (const entry of client.runs.followLog({ org_id: me.organizationId, agent_run_id: run.id }, { pollMs: 5 })) {
    read.push(entry.seq)
    if (entry.seq === 150) await append(['one more'])
    if (entry.seq === 151) await end()
  }
  assert.deepEqual(
    read,
    Array.from({ length: 151 }, (_, n) => n + 1),
  )
})

test('the SDK follows the status of all runs', async () => {
  const stop = new AbortController()
  const following = client.runs.followStatuses({ org_id: me.organizationId }, { signal: stop.signal })
  let report: AgentRun | undefined
  void following.next().then(({ value }) => (report = value))
  // Only what happens once the stream is open is told.
  const made: AgentRun[] = []
  await until(async () => {
    if (!report) made.push(await client.runs.createRun({ org_id: me.organizationId, prompt: 'Fix it' }))
    return report !== undefined
  })
  assert.deepEqual(
    report,
    made.find(({ id }) => id === report?.id),
  )
  stop.abort()
  const read = async () => {
    // What had come already is still told.
    while (!(await following.next()).done);
  }
  await assert.rejects(read(), { name: 'AbortError' })
})

test('the command line starts a run in a repository by name, and shows it', async () => {
  const repo = await client.repositories.createRepo({ org_id: me.organizationId, name: unique('repo') })
  const started = await runwright(['run', 'Fix the tests', '--repo', repo.name, '--json'])
  const run = JSON.parse(started.out) as { id: number; repo_id: number }
  assert.equal(run.repo_id, repo.id)
  assert.match((await runwright(['get', String(run.id)])).out, /Fix the tests/)
  assert.match((await runwright(['list', '--limit', '1'])).out, /Fix the tests/)
  assert.match((await runwright(['repos'])).out, new RegExp(repo.name))
  assert.match((await runwright(['cancel', String(run.id)])).out, /cancelled/)
  assert.match((await runwright(['resume', String(run.id), 'Again'])).out, /queued/)
  await runwright(['cancel', String(run.id)])
  assert.match((await runwright(['delete', String(run.id)])).out, /^Run \d+ {2}deleted\n$/)
})

test('the command line follows a log to its end, and shows what would steer the terminal', async () => {
  const { run, end } = await makeWorkingRun(['I look \u001b[2Jaround', 'I am done'])
  await end()
  const followed = await runwright(['log', String(run.id), '--follow'])
  assert.match(followed.out, /I look \\u001b\[2Jaround[^]*I am done[^]*completed/)
  assert.ok(!followed.out.includes('\u001b'))
  assert.equal(followed.code, 0)
})

test('the command line says in a sentence what is wrong', async () => {
  const { run } = await makeWorkingRun([])
  const [plainFolder, emptyFolder] = [
    mkdtempSync(path.join(os.tmpdir(), 'plain-')),
    mkdtempSync(path.join(os.tmpdir(), 'empty-')),
  ]
  execFileSync('git', ['init', '-q', emptyFolder])
  const wrong: [string[], Record<string, string>, RegExp][] = [
    [['list'], { RUNWRIGHT_TOKEN: '' }, /^Set RUNWRIGHT_TOKEN/],
    [['get', 'seven'], {}, /^The run must be a number, not "seven"/],
    [['get', '999999'], {}, /^There is no run 999999 .*run_not_found/],
    [['list'], { RUNWRIGHT_TOKEN: 'wrong' }, /unauthorized/],
    [['run', 'Go', '--repo', 'nowhere'], {}, /^There is no repository "nowhere"/],
    [['repos', 'add', 'shop', '--from', plainFolder], {}, /is not a Git repository. Type: git init/],
    [['repos', 'add', 'shop', '--from', emptyFolder], {}, /has no commits yet. Type: git add/],
    [['merge', String(run.id)], {}, /^Run \d+ has no pull request/],
    [['list'], { RUNWRIGHT_URL: 'http://127.0.0.1:1' }, /^Could not reach the service/],
  ]
  for (const [words, env, sentence] of wrong) {
    const { code, said: output } = await runwright(words, env)
    assert.match(output, sentence)
    assert.equal(code, 1)
    assert.doesNotMatch(output, /\n\s+at /, 'no stack trace')
  }
})

test('the command line exports a run, an account and an organization, and a file has its name only once it is whole', async () => {
  const { run } = await makeWorkingRun(['exported thought'])
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-export-'))
  const output = path.join(folder, 'run.tar.gz')
  const saved = await runwright(['export', 'run', String(run.id), '--output', output])
  assert.deepEqual([saved.code, saved.out, saved.said], [0, `Saved ${output}\n`, ''])
  const files = await readArchive(createReadStream(output))
  assert.match(JSON.stringify(rowsIn(files, 'log_entries')), /exported thought/)
  const twice = await runwright(['export', 'run', String(run.id), '--output', output])
  assert.deepEqual([twice.code, twice.said], [1, `${output} already exists. Choose another name with --output.\n`])
  for (const words of [['me'], ['organization']]) {
    const file = path.join(folder, `${words[0]}.tar.gz`)
    assert.equal((await runwright(['export', ...words, '--output', file])).code, 0)
    assert.equal([...(await readArchive(createReadStream(file))).keys()].at(-1), 'manifest.json')
  }

  const whole = readFileSync(output)
  const withoutManifest = gzipSync(gunzipSync(whole).subarray(0, -4096))
  const parts: [Buffer, boolean][] = [
    [whole.subarray(0, -20), true],
    [withoutManifest, true],
    [whole.subarray(0, -20), false],
  ]
  for (const [content, isEnded] of parts) {
    const server = createServer((_, response) => {
      response.writeHead(200, { 'content-type': 'application/octet-stream' })
      response.write(content, () => (isEnded ? response.end() : response.destroy()))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const cut = path.join(folder, 'cut.tar.gz')
    const env = {
      RUNWRIGHT_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      RUNWRIGHT_ORGANIZATION: '1',
    }
    const broken = await runwright(['export', 'run', '1', '--output', cut], env)
    server.close()
    assert.equal(broken.code, 1)
    assert.match(broken.said, /^The export (is cut off|broke off)/)
  }
  assert.deepEqual(readdirSync(folder).toSorted(), ['me.tar.gz', 'organization.tar.gz', 'run.tar.gz'])
})
