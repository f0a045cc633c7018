import assert from 'node:assert/strict'
import { makePublicKey } from '#test/make-public-key.ts'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { gitLimits } from '#base/hosts/git-limits.ts'
import { limits } from '#base/limits.ts'
import { appendLog, logLines } from '#domain/runs/logs/append-log.ts'
import { commitTo } from '#test/commit-to.ts'
import { documented, type Document } from '#test/documented.ts'
import { makeRepository } from '#test/example-repository.ts'
import { makeHeldRun, makeRun } from '#test/make-run.ts'
import { makeUser } from '#test/make.ts'
import { startGitHubServer } from '#test/github-server.ts'
import { openBroken } from '#test/open-broken.ts'
import { provocations, send, type Provoke, type Provoked } from '#test/provoke.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld } from '#test/world.ts'
import { findPort } from '#process/find-port.ts'
import { routes } from './routes/index.ts'

const gitHub = await startGitHubServer()
after(() => gitHub[Symbol.asyncDispose]())
const modelPort = await findPort('127.0.0.1')
const privateHosts = `${new URL(gitHub.url).host},127.0.0.1:${modelPort}`
const testing = await testApp({ env: { RUNWRIGHT_PRIVATE_HOSTS: privateHosts } })
const { app, ask } = testing
const broken = await openBroken(testing)
const document = JSON.parse((await ask('/openapi.json')).text) as Document
const assertDocumented = documented(document)

const organization = ({ world: { organizationId } }: Provoked) => organizationId
const setStatus = (at: Provoked, status: string) =>
  app.pool.query('update run_heads set status = $3 where organization_id = $1 and run_id = $2', [
    organization(at),
    at.world.ids.agent_run_id,
    status,
  ])

/** The member who is the last ADMIN: the user of the token, once whoever made the organization is gone. */
async function lastAdmin(at: Provoked) {
  await app.pool.query('delete from memberships where organization_id = $1 and user_id not in ($2, $3)', [
    organization(at),
    at.world.userId,
    at.world.ids.user_id,
  ])
  return send(at, { params: { user_id: at.world.userId }, body: { role: 'MEMBER' } })
}

/** As a person does who means it, once all runs have ended where `ended`. */
async function deleteMe(at: Provoked, { ended = true } = {}) {
  const { organizationId, userId } = at.world
  if (ended)
    await app.pool.query(
      `update run_heads set status = 'cancelled', lease_id = null, worker_id = null
       where organization_id = $1 and status not in ('completed', 'failed', 'cancelled')`,
      [organizationId],
    )
  const { rows } = await app.pool.query<{ email: string }>('select email from users where id = $1', [userId])
  return send(at, { params: { confirm: rows[0]!.email } })
}

/** One more secret than there is room for. */
async function beyondRoom(at: Provoked) {
  await app.pool.query(
    `insert into secrets (organization_id, repo_id, name, sealed)
     select organization_id, repo_id, 'MORE_' || n, sealed from secrets, generate_series(2, $2) n where organization_id = $1`,
    [organization(at), limits.secretsMax],
  )
  return send(at, { params: { name: 'ONE_MORE' } })
}

/** The pull request is merged: what only one that is not may be told. */
async function whenArchived(at: Provoked) {
  await app.pool.query('update repos set archived = true where organization_id = $1', [organization(at)])
  return send(at)
}

async function whenMerged(at: Provoked) {
  await app.pool.query(`update pulls set state = 'closed', merged = true where organization_id = $1`, [
    organization(at),
  ])
  return send(at, { body: { state: 'open' } })
}

/** On a host that nobody here knows. */
async function whenElsewhere(at: Provoked) {
  await app.pool.query(
    `update repos set host = 'elsewhere', path = organization_id || '/elsewhere-' || id || '.git' where organization_id = $1`,
    [organization(at)],
  )
  return send(at, at.route.operationId === 'createPullComment' ? { body: { body: 'Why?' } } : {})
}

/** The run has opened no pull request. */
async function withoutPull(at: Provoked) {
  const organizationId = organization(at)
  const run = await makeRun(app.pool, { organizationId, userId: at.world.userId })
  return send(at, { body: { agent_run_id: run.id } })
}

/** The base of the pull request was removed. */
async function withoutBase(at: Provoked) {
  await app.pool.query(`update pulls set base_branch = 'gone' where organization_id = $1`, [organization(at)])
  return send(at)
}

const unknownSession: Provoke = (at) => send(at, { params: { session_id: 'unknown' } })

/** The run of its session was stopped by a person. */
async function whenStopped(at: Provoked) {
  await app.pool.query(
    `update run_heads set status = 'cancelled' where organization_id = $1 and run_id in (select run_id from outside_sessions)`,
    [organization(at)],
  )
  return send(at)
}

const callTool =
  (tool_name: string, options: Record<string, unknown>): Provoke =>
  (at) =>
    send(at, { body: { tool_name, arguments: options } })

const onePixel =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const withoutRoom: Provoke = async (at) => {
  await app.pool.query('update organizations set storage_max = 0 where id = $1', [organization(at)])
  return send(at, { body: { images: [onePixel] } })
}

/** The pull request, and its run, hold folders that name each other ten times over ten levels. */
async function withTooMuch(at: Provoked) {
  const git = (words: string[], input = '') =>
    execFileSync('git', [`--git-dir=${at.world.repository}`, ...words], { input, encoding: 'utf8' }).trim()
  let [kind, id] = ['100644 blob', git(['hash-object', '-w', '--stdin'], at.world.word)]
  // Long, so that the limit of what is read is soon reached.
  const name = 'n'.repeat(200)
  for (let level = 0; level < 10; level++) {
    id = git(['mktree'], Array.from({ length: 10 }, (_, n) => `${kind} ${id}\t${name}${n}\n`).join(''))
    kind = '040000 tree'
  }
  const author = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com']
  const commit = git([...author, 'commit-tree', id, '-m', 'Much'])
  git(['update-ref', `refs/heads/${at.world.word}`, commit])
  await app.pool.query('update runs set branch_commit = $2 where organization_id = $1', [organization(at), commit])
  await app.pool.query('update pulls set head_commit = $2 where organization_id = $1', [organization(at), commit])
  return send(at)
}

/** As many integrations as there is room for. */
const fillIntegrations = (at: Provoked) =>
  app.pool.query(
    `insert into integrations (organization_id, key, kind, sealed)
     select organization_id, key || n, kind, sealed from integrations, generate_series(2, $2) n where organization_id = $1`,
    [organization(at), limits.integrationsMax],
  )

/** With a token that a host takes. */
const onGitHub = { base_url: gitHub.apiUrl, token: gitHub.addPerson('ada').token }

/** What a browser brings back from there, where somebody has posted the form. */
async function comeBack({ world }: Provoked) {
  const form = await ask(`${world.path}/integrations/app-forms`, {
    method: 'POST',
    token: world.token,
    body: { base_url: gitHub.apiUrl, return_url: 'https://runwright.test/' },
  })
  const body = new URLSearchParams({ manifest: String(form.body.manifest) })
  const headers = { authorization: `Bearer ${onGitHub.token}` }
  const posted = await fetch(String(form.body.url), { method: 'POST', redirect: 'manual', headers, body })
  const back = new URL(String(posted.headers.get('location'))).searchParams
  return { form_code: back.get('code'), form_state: back.get('state') }
}

/** What a browser says of a request that one of our own pages sends. */
const fromOurPages = { 'sec-fetch-site': 'same-origin' }

const merge = async ({ world }: Provoked) => {
  const path = `${world.path}/prs/${world.ids.pr_id}/merge`
  assert.equal((await ask(path, { method: 'POST', token: world.token, body: {} })).status, 200)
}

/** What an endpoint needs before it can do what it is asked in the example. */
const preparations: Record<string, (at: Provoked) => Promise<unknown>> = {
  continueRun: (at) => setStatus(at, 'paused'),
  removeRepo: (at) => setStatus(at, 'cancelled'),
  deleteRun: (at) => setStatus(at, 'cancelled'),
  revertPull: merge,
  deletePullBranch: merge,
  keepWinner: async (at) => {
    await setStatus(at, 'in_progress')
    await setStatus(at, 'completed')
  },
  answerQuestion: async (at) => {
    await setStatus(at, 'in_progress')
    await setStatus(at, 'waiting_for_user')
  },
}

/** The ways to answers that only this endpoint gives, or that it comes to in a way of its own. */
const ownProvocations: Record<string, Provoke> = {
  'streamLog 204': async (at) => {
    const { organizationId, userId } = at.world
    const { run, holder } = await makeHeldRun(app.pool, { organizationId, userId })
    const entries = [{ messageType: 'FINAL_ANSWER' as const, observation: 'Done' }]
    await appendLog(app.pool, { ...holder, lines: logLines(entries, { turn: 1, mask: (text) => text }) })
    const status = `update run_heads set status = 'cancelled', worker_id = null, lease_id = null where run_id = $1`
    await app.pool.query(status, [run.id])
    return send(at, { params: { agent_run_id: run.id }, headers: { 'last-event-id': '1' } })
  },
  'getMe 403 forbidden': async (at) => {
    await app.pool.query('delete from memberships where user_id = $1', [at.world.userId])
    return send(at)
  },
  'exportMe 403 forbidden': async (at) => {
    await app.pool.query('delete from memberships where user_id = $1', [at.world.userId])
    return send(at)
  },
  'updateMe 403 forbidden': async (at) => {
    const tokens = `${at.world.path}/tokens`
    const made = await ask(tokens, {
      method: 'POST',
      token: at.world.token,
      body: { name: 'reader', scopes: ['read'] },
    })
    return send(at, { token: String(made.body.token) })
  },
  'updateRepo 400 engine_unavailable': (at) => send(at, { body: { default_engine: 'telepathy' } }),
  'createRun 400 engine_unavailable': (at) => send(at, { body: { agent_type: 'telepathy' } }),
  'createRun 404 repo_not_found': (at) => send(at, { body: { repo_id: 999_999 } }),
  'createRun 404 run_not_found': (at) => send(at, { body: { parent_run_id: 999_999 } }),
  'createRun 404 pull_not_found': (at) => send(at, { body: { pull_request: 999_999 } }),
  'createRun 404 branch_not_found': (at) => send(at, { body: { repo_id: at.world.ids.repo_id, branch: 'nowhere' } }),
  'createRun 409 conflict': async (at) => {
    await app.pool.query(`update pulls set state = 'closed' where organization_id = $1`, [organization(at)])
    return send(at, { body: { pull_request: at.world.ids.pull_request } })
  },
  'updateClaudeSession 404 run_not_found': unknownSession,
  'updateClaudeSession 409 conflict': whenStopped,
  'reportClaudeSession 404 run_not_found': unknownSession,
  'reportClaudeSession 409 conflict': whenStopped,
  'reportClaudeSession 422 storage_full': async (at) => {
    await app.pool.query('update organizations set storage_max = 0 where id = $1', [organization(at)])
    return send(at, { body: { log: { type: 'user', message: { content: 'Go' } } } })
  },
  'executeTool 400 prompt_too_long': callTool('start_run', { prompt: 'x'.repeat(262_145) }),
  'executeTool 400 engine_unavailable': callTool('start_run', { prompt: 'Go', agent_type: 'telepathy' }),
  'executeTool 404 repo_not_found': callTool('start_run', { prompt: 'Go', repo_id: 999_999 }),
  'executeTool 404 run_not_found': callTool('read_run', { agent_run_id: 999_999 }),
  'executeTool 409 run_already_ended': async (at) => {
    await setStatus(at, 'cancelled')
    return callTool('stop_run', { agent_run_id: at.world.ids.agent_run_id })(at)
  },
  'executeTool 409 conflict': async (at) => {
    await app.pool.query('update repos set archived = true where organization_id = $1', [organization(at)])
    return callTool('start_run', { prompt: 'Go', agent_type: 'scripted', repo_id: at.world.ids.repo_id })(at)
  },
  'installEngine 400 engine_unavailable': (at) => send(at, { params: { engine: 'repair' } }),
  'installEngine 409 conflict': (at) => send(at, { url: at.broken.wary }),
  'createMessage 409 conflict': async (at) => {
    const { rows } = await app.pool.query<{ id: number }>(
      'select run_id as id from outside_sessions where organization_id = $1',
      [organization(at)],
    )
    return send(at, { params: { agent_run_id: rows[0]!.id } })
  },
  'createComparison 400 engine_unavailable': (at) =>
    send(at, { body: { contestants: [{ agent_type: 'telepathy', count: 2 }] } }),
  'createComparison 422 storage_full': async (at) => {
    await app.pool.query('update organizations set storage_max = 0 where id = $1', [organization(at)])
    const judge_files = [{ path: 'hidden.sh', content: 'dHJ1ZQ==' }]
    return send(at, { body: { repo_id: at.world.ids.repo_id, judges: [], judge_files } })
  },
  'createComparison 404 repo_not_found': (at) => send(at, { body: { repo_id: 999_999 } }),
  'createComparison 409 conflict': async (at) => {
    await whenArchived(at)
    return send(at, { body: { repo_id: at.world.ids.repo_id, judges: [] } })
  },
  'keepWinner 409 conflict': async (at) => {
    await app.pool.query('update comparisons set winner_run_id = 999999 where organization_id = $1', [organization(at)])
    return send(at)
  },
  'keepWinner 404 run_not_found': (at) => send(at, { body: { run_id: 999_999 } }),
  'createPullComment 404 comment_not_found': (at) => send(at, { body: { in_reply_to: 999_999 } }),
  'createIssue 409 conflict': whenArchived,
  'generateSetupCommands 409 conflict': whenArchived,
  'acceptSetupProposal 409 conflict': async (at) => {
    await app.pool.query(`update setup_proposals set state = 'superseded' where organization_id = $1`, [
      organization(at),
    ])
    return send(at)
  },
  'saveView 409 conflict': async (at) => {
    await app.pool.query(
      `insert into views (organization_id, user_id, name, query) select $1, $2, n, '' from generate_series(2, $3) n`,
      [organization(at), at.world.userId, limits.viewsMax],
    )
    return send(at)
  },
  'createBudget 409 conflict': async (at) => {
    const many = `insert into budgets (organization_id, period, limit_usd) select $1, 'day', 1 from generate_series(1, 100)`
    await app.pool.query(many, [organization(at)])
    return send(at)
  },
  'createModelProvider 400 model_provider_failed': (at) => send(at, { body: { check: true } }),
  'updateModelProvider 400 model_provider_failed': (at) => send(at, { body: { check: true } }),
  'saveMemberKey 400 model_provider_failed': (at) => send(at, { body: { check: true } }),
  'saveMemberKey 409 conflict': (at) => send(at, { body: { base_url: 'https://elsewhere.example.com' } }),
  'createModelProvider 409 conflict': (at) => send(at, { body: { name: 'own' } }),
  // Its address is changed while the new one is tried.
  'updateModelProvider 409 conflict': async (at) => {
    const change = () =>
      app.pool.query(`update model_providers set base_url = 'http://x' where organization_id = $1`, [organization(at)])
    const asked = createServer((_, response) => void change().then(() => response.end('{"data":[]}')))
    await once(asked.listen(modelPort, '127.0.0.1'), 'listening')
    const answer = await send(at, { body: { base_url: `http://127.0.0.1:${modelPort}`, check: true } })
    asked.close()
    return answer
  },
  'createDeployKey 409 conflict': async (at) => {
    const key = makePublicKey()
    await send(at, { body: { key } })
    return send(at, { body: { key } })
  },
  'createWorkerToken 409 conflict': async (at) => {
    const many = `insert into worker_tokens (organization_id, name, digest, key_mark, prefix, last4)
      select $1::bigint, n, decode(md5(concat($1::bigint, '/', n)), 'hex'), '\\x00000000', '', '' from generate_series(1, 100) n`
    await app.pool.query(many, [organization(at)])
    return send(at)
  },
  'createMcpServer 409 conflict': async (at) => {
    await send(at, { body: { name: 'tried' } })
    return send(at, { body: { name: 'tried' } })
  },
  'updateMcpServer 409 conflict': async (at) => {
    await app.pool.query(`insert into mcp_servers (organization_id, name, url) values ($1, 'taken', 'http://x')`, [
      organization(at),
    ])
    return send(at, { body: { name: 'taken' } })
  },
  'reportCheck 409 conflict': async (at) => {
    const many = `insert into checks (organization_id, repo_id, commit, key, name, app) select $1, $2, $3, n, n, 'ci' from generate_series(1, 100) n`
    await app.pool.query(many, [organization(at), at.world.ids.repo_id, at.world.commit])
    return send(at)
  },
  'deleteRun 409 conflict': async (at) => {
    const { organizationId, userId } = at.world
    const { id } = await makeRun(app.pool, { organizationId, userId })
    return send(at, { params: { agent_run_id: id } })
  },
  'resumeRun 409 conflict': async (at) => {
    await app.pool.query(`update runs set deleted_parts = '{logs}' where id = $1`, [at.world.ids.agent_run_id])
    return send(at)
  },
  'pauseRun 409 conflict': async (at) => {
    await setStatus(at, 'paused')
    return send(at)
  },
  'continueRun 409 conflict': async (at) => {
    await setStatus(at, 'queued')
    return send(at)
  },
  'revokeMessage 409 conflict': async (at) => {
    await app.pool.query('update messages set taken_seq = 1 where organization_id = $1', [organization(at)])
    return send(at)
  },
  'answerQuestion 409 conflict': async (at) => {
    await send(at)
    return send(at)
  },
  'createMember 409 conflict': async (at) => {
    const { email } = await makeUser(app.pool, { organizationId: organization(at) })
    return send(at, { body: { email } })
  },
  'banRun 409 conflict': withoutPull,
  'unbanRun 409 conflict': withoutPull,
  'removeRunFromPull 409 conflict': withoutPull,
  'updatePull 409 conflict': whenMerged,
  'updateRepoPull 409 conflict': whenMerged,
  'analyzeLogs 400 no_logs': async (at) => {
    await app.pool.query('delete from sandbox_logs where organization_id = $1', [organization(at)])
    return send(at)
  },
  'listBranches 409 conflict': whenElsewhere,
  'createPullComment 409 conflict': whenElsewhere,
  'listPullComments 409 conflict': whenElsewhere,
  'createReview 404 branch_not_found': async (at) => {
    await app.pool.query(`update pulls set base_branch = 'gone' where organization_id = $1`, [organization(at)])
    return send(at, { body: { comments: [{ path: at.world.word, line: 1, body: 'Why?' }] } })
  },
  'createReview 409 conflict': async (at) => {
    await app.pool.query(`update pulls set url = 'https://host.test/7' where organization_id = $1`, [organization(at)])
    return send(at, { body: { verdict: 'approve' } })
  },
  'requestReview 400 engine_unavailable': async (at) => {
    await app.pool.query('delete from model_providers where organization_id = $1', [organization(at)])
    return send(at, { body: { agent_type: null } })
  },
  'requestReview 404 branch_not_found': withoutBase,
  'requestReview 409 conflict': async (at) => {
    await app.pool.query(`update pulls set state = 'closed' where organization_id = $1`, [organization(at)])
    return send(at)
  },
  'requestReviewer 409 conflict': async (at) => {
    await app.pool.query(`update pulls set state = 'closed' where organization_id = $1`, [organization(at)])
    return send(at)
  },
  'getPullDiff 404 branch_not_found': withoutBase,
  'listPullFiles 404 branch_not_found': withoutBase,
  'getPullFile 404 branch_not_found': withoutBase,
  'getPullFile 404 file_not_found': (at) => send(at, { params: { path: 'nothing' } }),
  'getPullFile 422 comparison_too_large': async (at) => {
    const files = { [at.world.word]: 'x'.repeat(gitLimits.shownFileBytesMax + 1) }
    const commit = commitTo(at.world.repository, { branch: at.world.word, files })
    await app.pool.query('update pulls set head_commit = $2 where organization_id = $1', [organization(at), commit])
    return send(at)
  },
  'getPullDiff 422 comparison_too_large': withTooMuch,
  'listPullFiles 422 comparison_too_large': withTooMuch,
  'getRunDiff 422 comparison_too_large': withTooMuch,
  'mergePull 409 conflict': (at) => send(at, { body: { expected_head: '0'.repeat(40) } }),
  'mergePull 409 merge_conflict': async (at) => {
    commitTo(at.world.repository, { branch: 'main', files: { [at.world.word]: 'another' } })
    return send(at)
  },
  'revertPull 409 conflict': async (at) => {
    await app.pool.query('update pulls set merged = false where organization_id = $1', [organization(at)])
    return send(at)
  },
  'revertPull 409 merge_conflict': async (at) => {
    commitTo(at.world.repository, { branch: 'main', files: { [at.world.word]: 'another' } })
    return send(at)
  },
  'deletePullBranch 409 conflict': async (at) => {
    commitTo(at.world.repository, { branch: at.world.word, files: { b: 'b' } })
    return send(at)
  },
  'updateMember 409 last_admin': lastAdmin,
  'updateMember 409 conflict': async (at) => {
    const { id: userId } = await makeUser(app.pool, { organizationId: organization(at) })
    await send(at, { params: { user_id: userId }, body: { github_user_id: '7' } })
    return send(at, { body: { github_user_id: '7' } })
  },
  'removeMember 409 last_admin': lastAdmin,
  'deleteMe 204': (at) => deleteMe(at),
  'deleteMe 403 forbidden': async (at) => {
    const body = { name: 'narrow', scopes: ['read'] }
    const made = await ask(`${at.world.path}/tokens`, { method: 'POST', token: at.world.token, body })
    return send(at, { token: String(made.body.token) })
  },
  'deleteMe 409 conflict': (at) => deleteMe(at, { ended: false }),
  'deleteMe 409 last_admin': async (at) => {
    await lastAdmin(at)
    return deleteMe(at)
  },
  'createRepo 400 import_not_allowed': (at) => send(at, { body: { import_from: '/etc' } }),
  'createRepo 400 import_failed': async (at) => {
    const source = path.join(app.config.dataDir, at.world.word)
    cpSync(makeRepository({ 'a.txt': 'a' }), source, { recursive: true })
    rmSync(path.join(source, '.git/objects'), { recursive: true })
    mkdirSync(path.join(source, '.git/objects'))
    return send(at, { body: { import_from: source } })
  },
  'createRepo 400 integration_failed': (at) =>
    send(at, { body: { name: null, full_name: 'acme/web', integration_id: at.world.ids.integration_id } }),
  'createRepo 422 storage_full': async (at) => {
    await app.pool.query('update organizations set storage_max = 0 where id = $1', [organization(at)])
    const source = path.join(app.config.dataDir, `${at.world.word}-full`)
    cpSync(makeRepository({ 'a.txt': 'a' }), source, { recursive: true })
    return send(at, { body: { import_from: source } })
  },
  'createRun 422 storage_full': withoutRoom,
  'resumeRun 422 storage_full': withoutRoom,
  'createRepo 404 integration_not_found': (at) =>
    send(at, { body: { name: null, full_name: 'acme/web', integration_id: 999_999 } }),
  'createRepo 409 repo_name_taken': (at) => send(at, { body: { name: at.world.word } }),
  'removeRepo 409 conflict': async (at) => {
    await makeRun(app.pool, { ...at.world, repoId: Number(at.world.ids.repo_id) })
    return send(at)
  },
  'createIntegration 201': (at) => send(at, { body: onGitHub }),
  'createIntegration 400 integration_failed': (at) => send(at),
  'createIntegration 409 conflict': async (at) => {
    await fillIntegrations(at)
    return send(at, { body: onGitHub })
  },
  'createIntegration 422 idempotency_key_reused': async (at) => {
    const headers = { 'idempotency-key': at.world.word }
    await send(at, { body: onGitHub, headers })
    return send(at, { body: { ...onGitHub, webhook_secret: at.world.word }, headers })
  },
  'finishAppForm 201': async (at) => send(at, { body: await comeBack(at) }),
  'finishAppForm 400 integration_failed': (at) => send(at),
  'finishAppForm 409 conflict': async (at) => {
    await fillIntegrations(at)
    return send(at, { body: await comeBack(at) })
  },
  'finishAppForm 422 idempotency_key_reused': async (at) => {
    const headers = { 'idempotency-key': at.world.word }
    const body = await comeBack(at)
    await send(at, { body, headers })
    return send(at, { body: { ...body, form_code: 'another' }, headers })
  },
  'updateIntegration 200': (at) => send(at, { body: { token: null } }),
  'updateIntegration 400 integration_failed': (at) => send(at),
  'updateIntegration 409 conflict': (at) => send(at, { body: { token: null, private_key: 'a key' } }),
  'saveSecret 409 conflict': beyondRoom,
  'saveRepoSecret 409 conflict': beyondRoom,
  'createSession 201': (at) => send(at, { headers: fromOurPages }),
  'createSession 401 unauthorized': (at) => send(at, { body: { token: 'nobody' }, headers: fromOurPages }),
  'createSession 429 rate_limited': async (at) => {
    const guess = () => send(at, { body: { token: 'nobody' }, headers: fromOurPages, url: at.broken.wary })
    // One look a second there is all the same.
    for (;;) {
      const answer = await guess()
      if (answer.status !== 401) return answer
    }
  },
  'createToken 409 conflict': async (at) => {
    await app.pool.query(
      `insert into credentials (organization_id, user_id, kind, name, digest, prefix, last4, scopes)
       select organization_id, user_id, kind, name, sha256(digest || n::text::bytea), prefix, last4, scopes
       from credentials, generate_series(1, $2) n where organization_id = $1 and kind = 'token'`,
      [organization(at), limits.tokensPerMemberMax],
    )
    return send(at)
  },
  'createSession 403 forbidden': (at) => send(at),
  'revokeSession 204': (at) => send(at, { headers: fromOurPages }),
  'revokeSession 403 forbidden': (at) => send(at),
  'rotateToken 409 conflict': async (at) => {
    await app.pool.query(`update credentials set expires_at = now() where id = $1`, [at.world.ids.token_id])
    return send(at)
  },
}

/** What the document says that an operation may answer: each status, with each code that is named there. */
function answersOf(responses: Record<string, { description: string }>): string[] {
  return Object.entries(responses).flatMap(([status, { description }]) => {
    const codes = [...description.matchAll(/^`(\w+)`: /gm)].map(([, code]) => `${status} ${code}`)
    return codes.length ? codes : [status]
  })
}

for (const [template, operations] of Object.entries(document.paths)) {
  for (const [method, { operationId, responses }] of Object.entries(operations)) {
    test(`${operationId} gives every answer that its documentation names`, async () => {
      const route = routes.find((one) => one.operationId === operationId)
      assert.ok(route?.path.replaceAll(/:(\w+)/g, '{$1}') === template && route.method === method.toUpperCase())
      const missed: string[] = []
      const begin = async (): Promise<Provoked> => {
        const at = { route, world: await makeWorld(testing), testing, broken }
        await preparations[operationId]?.(at)
        return at
      }
      let at: Provoked | undefined
      for (const request of answersOf(responses)) {
        const own = ownProvocations[`${operationId} ${request}`]
        const provoke = own ?? provocations[request]
        assert.ok(provoke, `nothing here brings ${operationId} to answer ${request}`)
        const answer = await provoke((at ??= await begin()))
        const code = answer.body.request_id === undefined ? '' : ` ${String(answer.body.code)}`
        if (`${answer.status}${code}` === request) assertDocumented(route, answer)
        else missed.push(`${request}: ${answer.status} ${answer.text.slice(0, 200)}`)
        // Every other answer has left the world as it was.
        if (own || /^(?:402|409|422)/.test(request) || (request.startsWith('2') && route.method !== 'GET'))
          at = undefined
      }
      assert.deepEqual(missed, [])
    })
  }
}
