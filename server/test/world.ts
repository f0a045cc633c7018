import path from 'node:path'
import { saveArtifact } from '#domain/runs/artifacts/save-artifact.ts'
import { one } from '#db/pool.ts'
import { reportCheck } from '#domain/hosts/checks/report-check.ts'
import { createIntegration } from '#domain/hosts/integrations/create-integration.ts'
import { startFixer } from '#domain/hosts/fixers/start-fixer.ts'
import { openPull } from '#domain/hosts/pulls/open-pull.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { openOutsideSession } from '#domain/runs/outside-sessions/open-outside-session.ts'
import { appendSandboxLog } from '#domain/runs/sandbox-logs/append-sandbox-log.ts'
import { saveSecret } from '#domain/repos/secrets/save-secret.ts'
import { commitEach } from './commit-to.ts'
import { makeHeldRun, makeRun } from './make-run.ts'
import { nowhere } from './example-request.ts'
import { makePublicKey } from './make-public-key.ts'
import { makeUser, unique } from './make.ts'
import type { TestApp } from './test-app.ts'

/** An organization with one of everything, and a token of its ADMIN. */
export type World = Awaited<ReturnType<TestApp['member']>> & {
  /** Stands in every text of it. */
  word: string
  /** What it has, by the names that paths, queries and bodies use. */
  ids: Record<string, number>
  /** The file that its run has left. */
  file: string
  /** The bare repository, where its git lies. */
  repository: string
  /** The head of its pull request, and a check of it. */
  commit: string
  checkKey: string
  /** Its name, as somebody says it who deletes it. */
  confirm: string
  /** That of a session on its ADMIN's machine. */
  session: string
  /** The name of a secret of the organization, and of one of its repository. */
  secret: string
}

/** Makes an organization of its own for a test. Whoever adds an endpoint with a new kind of id adds one of these here. */
export async function makeWorld({ app, ask, member }: Pick<TestApp, 'app' | 'ask' | 'member'>): Promise<World> {
  const word = unique('canary')
  const me = await member()
  const { organizationId, userId } = me
  const make = async (path: string, body: object) =>
    Number((await ask(`${me.path}${path}`, { method: 'POST', token: me.token, body })).body.id)
  const repoId = await make('/repos', { name: word })
  const tokenId = await make('/tokens', { name: word, scopes: ['run'] })
  const budgetId = await make('/budgets', { limit_usd: 1_000, period: 'day' })
  const mcpServerId = await make('/mcp-servers', { name: 'tried', url: 'http://127.0.0.1:1/mcp' })
  const modelProviderId = await make('/model-providers', {
    name: 'own',
    kind: 'openai_chat',
    base_url: nowhere,
    key: unique('key-of-a-provider'),
    models: [word],
    check: false,
  })
  await ask(`${me.path}/model-providers/${modelProviderId}/my-key`, {
    method: 'PUT',
    token: me.token,
    body: { key: unique('key-of-a-member'), base_url: nowhere, check: false },
  })
  const workerTokenId = await make('/worker-tokens', { name: word })
  const deployKeyId = await make(`/repos/${repoId}/deploy-keys`, { title: word, key: makePublicKey() })
  const run = await makeRun(app.pool, { organizationId, userId, prompt: word, repoId })
  await make(`/agent/run/${run.id}/messages`, { prompt: word })
  const other = await makeUser(app.pool, { organizationId, email: `${word}@example.com` })
  const repository = await repositoryOf(app, { organizationId, repoId })
  const [, headCommit = ''] = commitEach(repository, [
    { branch: 'main', files: { 'read.me': word } },
    { branch: word, from: 'main', files: { [word]: word } },
  ])
  const { pull } = await openPull(app.pool, {
    organizationId,
    repoId,
    runId: run.id,
    title: word,
    body: word,
    headBranch: word,
    baseBranch: 'main',
    headCommit,
    publicUrl: '',
  })
  await startFixer(app.pool, { organizationId, pullId: pull.id, runId: run.id, at: app.clock.now() })
  const check = await reportCheck(app.pool, {
    organizationId,
    repoId,
    commit: headCommit,
    key: word,
    name: word,
    app: 'ci',
    status: 'completed',
    conclusion: 'failure',
    url: undefined,
    summary: word,
    log: Buffer.from(word),
    blobs: app.blobs,
  })
  // Written by the service, Git would be asked six times whether the file is one of the pull request.
  const { id: commentId } = await one<{ id: number }>(
    app.pool,
    `insert into pull_comments (organization_id, pull_id, user_id, body, path, line, side, head_commit)
     values ($1, $2, $3, $4, $4, 1, 'head', $5) returning id`,
    [organizationId, pull.id, userId, word, headCommit],
  )
  // The number after that of the pull request.
  await make(`/repos/${repoId}/issues`, { title: word, body: word, labels: [word] })
  await make(`/repos/${repoId}/issues/2/comments`, { body: word })
  // With the same number as the message.
  await app.pool.query('insert into questions (organization_id, run_id, n, text) values ($1, $2, 2, $3)', [
    organizationId,
    run.id,
    word,
  ])
  // With that number too.
  await app.pool.query(
    `insert into setup_proposals (organization_id, repo_id, n, run_id, turn, state, commands, test_command, notes, evidence, lockfiles)
     values ($1, $2, 2, $3, 1, 'proposed', $4, $5, $5, '[]', '{}')`,
    [organizationId, repoId, run.id, JSON.stringify([word]), word],
  )
  await app.pool.query(
    `insert into snapshots (organization_id, repo_id, n, place, key, base_commit, state, problem)
     values ($1, $2, 2, $3, $3, $4, 'failed', json_build_object('message', $3::text))`,
    [organizationId, repoId, word, headCommit],
  )
  const { id: notificationId } = await one<{ id: number }>(
    app.pool,
    `insert into notifications (organization_id, kind, user_id, run_id, subject, text)
     values ($1, 'failure', $2, $3, '1', $4) returning id`,
    [organizationId, userId, run.id, word],
  )
  const viewId = await make('/views', { name: word, query: `q=${word}` })
  const sandboxId = await recordEndedSandbox(app, { organizationId, runId: run.id, worker: word })
  const secret = word.replaceAll('-', '_')
  for (const place of [null, repoId])
    await saveSecret(app.pool, app.secretBox, {
      organizationId,
      repoId: place,
      name: secret,
      value: `the ${unique('hidden')}`,
    })
  const { id: integrationId } = await createIntegration(app.pool, app.secretBox, {
    organizationId,
    kind: 'github',
    baseUrl: nowhere,
    appId: null,
    installationId: null,
    account: word,
    bot: { id: '1', login: word },
    credentials: { token: `the ${word}`, webhookSecrets: [`the ${word}`] },
    userId,
  })
  const { id: jobId } = await one<{ id: number }>(
    app.pool,
    `insert into jobs (organization_id, kind, ref, key, problem, gave_up_at)
     values ($1, 'status_comment', concat_ws(' ', $2::bigint, $3::bigint, 'issue:2'), $4, $4, now()) returning id`,
    [organizationId, run.id, repoId, word],
  )
  await openOutsideSession(app.pool, { organizationId, userId, sessionId: word, agentType: 'claude_code' })
  const { comparisonId, verdictId } = await makeComparison(app, { organizationId, userId, repoId, runId: run.id, word })
  const file = `${word}.txt`
  await leaveFile(app, { organizationId, userId, runId: run.id, name: file, text: word })
  const ids = {
    org_id: organizationId,
    budget_id: budgetId,
    mcp_server_id: mcpServerId,
    model_provider_id: modelProviderId,
    deploy_key_id: deployKeyId,
    worker_token_id: workerTokenId,
    integration_id: integrationId,
    agent_run_id: run.id,
    parent_run_id: run.id,
    run_id: run.id,
    pull_request: pull.id,
    pr_id: pull.id,
    comment_id: commentId,
    in_reply_to: commentId,
    repo_id: repoId,
    sandbox_id: sandboxId,
    token_id: tokenId,
    notification_id: notificationId,
    view_id: viewId,
    job_id: jobId,
    comparison_id: comparisonId,
    verdict_id: verdictId,
    user_id: other.id,
    n: 2,
  }
  const { body } = await ask(me.path, { token: me.token })
  return {
    ...me,
    confirm: String(body.name),
    word,
    ids,
    file,
    repository,
    secret,
    session: word,
    commit: headCommit,
    checkKey: check.key,
  }
}

type MakeComparison = { organizationId: number; userId: number; repoId: number; runId: number; word: string }

/** Of one run, with a verdict of a judge that it has no more. */
async function makeComparison(
  { pool }: TestApp['app'],
  { organizationId, userId, repoId, runId, word }: MakeComparison,
): Promise<{ comparisonId: number; verdictId: number }> {
  const { comparisonId } = await one<{ comparisonId: number }>(
    pool,
    `insert into comparisons (organization_id, user_id, repo_id, title, prompt, judges) values ($1, $2, $3, $4, $4, '[]') returning id as "comparisonId"`,
    [organizationId, userId, repoId, word],
  )
  await pool.query(
    'insert into contestants (organization_id, comparison_id, n, run_id, name) values ($1, $2, 1, $3, $4)',
    [organizationId, comparisonId, runId, word],
  )
  const { verdictId } = await one<{ verdictId: number }>(
    pool,
    `insert into checks (organization_id, repo_id, commit, key, name, app, status, conclusion, log_sha256, run_id, comparison_id)
     select organization_id, repo_id, commit, 'judge', name, 'judge', status, conclusion, log_sha256, $3, $4 from checks
     where organization_id = $1 and repo_id = $2 limit 1 returning id as "verdictId"`,
    [organizationId, repoId, runId, comparisonId],
  )
  return { comparisonId, verdictId }
}

async function repositoryOf(app: TestApp['app'], ids: { organizationId: number; repoId: number }): Promise<string> {
  return path.join(app.config.dataDir, 'git', (await getRepo(app.pool, ids)).path)
}

type EndedSandbox = { organizationId: number; runId: number; worker: string }

const enforcement = {
  memory: 'kernel',
  cpu: 'kernel',
  processes: 'kernel',
  disk: 'polled',
  network: 'kernel',
  kill: 'kernel',
}

/** Of a run that waits: one of a turn before. */
async function recordEndedSandbox(
  app: TestApp['app'],
  { organizationId, runId, worker }: EndedSandbox,
): Promise<number> {
  const { id } = await one<{ id: number }>(
    app.pool,
    `insert into sandboxes (organization_id, run_id, lease_id, provider, worker, enforcement)
     values ($1, $2, gen_random_uuid(), 'bubblewrap', $3, $4) returning id`,
    [organizationId, runId, worker, JSON.stringify(enforcement)],
  )
  const command = { command: worker, startedAt: new Date(), durationMs: 1, exitCode: 1, reason: 'exited' }
  const commands = [{ n: 1, ...command, output: worker, cutBytes: 0 }]
  await appendSandboxLog(app.pool, { organizationId, sandboxId: id, commands })
  return id
}

type LeftFile = { organizationId: number; userId: number; runId: number; name: string; text: string }

/** Only a run at work leaves files, so another one leaves it in the run's place. */
async function leaveFile(app: TestApp['app'], { organizationId, userId, runId, name, text }: LeftFile): Promise<void> {
  const { run, holder } = await makeHeldRun(app.pool, { organizationId, userId, prompt: text })
  const blob = await app.blobs.put(organizationId, Buffer.from(text))
  await saveArtifact(app.pool, { holder, name, contentType: 'text/plain', blob })
  await app.pool.query('update artifacts set run_id = $3 where organization_id = $1 and run_id = $2', [
    organizationId,
    run.id,
    runId,
  ])
}
