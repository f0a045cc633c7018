import assert from 'node:assert/strict'
import { one } from '#db/pool.ts'
import { answerOnce } from '#domain/accounts/idempotency-keys/answer-once.ts'
import { keyedRequest } from '#domain/accounts/idempotency-keys/keyed-request.ts'
import type { Route } from '#http/pipeline/route.ts'
import { exampleRequest, type Changes } from './example-request.ts'
import { unique } from './make.ts'
import type { Broken } from './open-broken.ts'
import { sendRequest } from './send-request.ts'
import type { Answer, TestApp } from './test-app.ts'
import type { World } from './world.ts'

/** An endpoint that is to be brought to an answer, in a world of its own. */
export type Provoked = { route: Route; world: World; testing: TestApp; broken: Broken }
export type Provoke = (provoked: Provoked) => Promise<Answer>

type Sent = Changes & {
  path?: string
  /** What is sent in place of a body of JSON. */
  text?: string
  token?: string | null
  headers?: Record<string, string>
  /** Another server of the same service. */
  url?: string
}

/** Sends the endpoint what it takes, but for what is changed. */
export async function send({ route, world, testing }: Provoked, sent: Sent = {}): Promise<Answer> {
  const { method, path, body } = exampleRequest(route, world, sent)
  const text = sent.text ?? (body && JSON.stringify(body))
  const token = sent.token === undefined ? tokenFor({ route, world, testing }) : sent.token
  const headers = {
    ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    ...(text === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': `${Buffer.byteLength(text)}` }),
    ...sent.headers,
  }
  return sendRequest(sent.url ?? testing.url, { method, path: sent.path ?? path, headers, body: text })
}

const tokenFor = ({ route, world, testing }: Pick<Provoked, 'route' | 'world' | 'testing'>) =>
  route.access === 'instance_admin' ? testing.adminToken : world.token

const unknownId = 9_007_199_254_740_991

/** The name of the id in the path or body that is unknown. */
const unknown =
  (name: string): Provoke =>
  (at) =>
    at.route.path.includes(`:${name}`) || name in (at.route.query?.properties ?? {})
      ? send(at, { params: { [name]: name === 'n' ? 999_999 : unknownId } })
      : send(at, { body: { [name]: unknownId } })

async function endRun({ world, testing }: Provoked): Promise<void> {
  const path = `${world.path}/agent/run/${world.ids.agent_run_id}/cancel`
  assert.equal((await testing.ask(path, { method: 'POST', token: world.token })).status, 200)
}

/** How any endpoint that documents it is brought to each answer: a status without a code is no error. */
export const provocations: Record<string, Provoke> = {
  '200': (at) => send(at),
  '201': (at) => send(at),
  '204': (at) => send(at),
  '304': (at) => send(at, { headers: { 'if-none-match': '*' } }),
  '400 invalid_request': (at) => {
    if (at.route.path.includes(':')) return send(at, { params: { org_id: 'x' } })
    return at.route.method === 'GET' ? send(at, { path: `${at.route.path}?limit=x` }) : send(at, { text: '[' })
  },
  '400 prompt_too_long': (at) => {
    const long = 'x'.repeat(262_145)
    return send(at, { body: 'prompt' in (at.route.body?.properties ?? {}) ? { prompt: long } : { answer: long } })
  },
  '400 metadata_too_large': (at) => send(at, { body: { metadata: { x: 'x'.repeat(16_384) } } }),
  '401 unauthorized': (at) => send(at, { token: null }),
  '402 budget_reached': async (at) => {
    const paused = `update run_heads set status = 'paused' where organization_id = $1 and status = 'queued'`
    await at.testing.app.pool.query(paused, [at.world.organizationId])
    await at.testing.app.pool.query('update budgets set limit_usd = 0 where organization_id = $1', [
      at.world.organizationId,
    ])
    return send(at)
  },
  '403 forbidden': async (at) => {
    const { token } = at.route.access === 'instance_admin' ? at.world : await at.testing.member()
    return send(at, { token })
  },
  '404 run_not_found': unknown('agent_run_id'),
  '404 repo_not_found': unknown('repo_id'),
  '404 user_not_found': unknown('user_id'),
  '404 sandbox_not_found': unknown('sandbox_id'),
  '404 token_not_found': unknown('token_id'),
  '404 notification_not_found': unknown('notification_id'),
  '404 view_not_found': unknown('view_id'),
  '404 issue_not_found': unknown('n'),
  '404 pull_not_found': unknown('pr_id'),
  '404 comment_not_found': unknown('comment_id'),
  '404 integration_not_found': unknown('integration_id'),
  '404 job_not_found': unknown('job_id'),
  '404 comparison_not_found': unknown('comparison_id'),
  '404 verdict_not_found': unknown('verdict_id'),
  '404 budget_not_found': unknown('budget_id'),
  '404 model_provider_not_found': unknown('model_provider_id'),
  '404 deploy_key_not_found': unknown('deploy_key_id'),
  '404 mcp_server_not_found': unknown('mcp_server_id'),
  '404 worker_token_not_found': unknown('worker_token_id'),
  '404 message_not_found': unknown('n'),
  '404 question_not_found': unknown('n'),
  '404 setup_proposal_not_found': unknown('n'),
  '404 snapshot_not_found': unknown('n'),
  '404 secret_not_found': (at) => send(at, { params: { name: 'NOTHING' } }),
  '404 check_log_not_found': (at) => send(at, { params: { check_key: 'nothing' } }),
  '404 artifact_not_found': (at) => send(at, { params: { name: 'nothing' } }),
  '406 not_acceptable': (at) => send(at, { headers: { accept: 'image/png' } }),
  '408 request_timeout': (at) => {
    const headers = { 'content-length': '10', 'content-type': 'application/json' }
    return send(at, { text: '{', headers, url: at.broken.impatient })
  },
  '409 run_already_ended': async (at) => {
    await endRun(at)
    return send(at)
  },
  '409 idempotency_in_progress': whileAtWork,
  '409 sandbox_too_weak': whileWorkersAreWeak,
  '413 body_too_large': (at) =>
    send(at, { text: '', headers: { 'content-length': '99999999', 'content-type': 'application/json' } }),
  '415 unsupported_media_type': (at) => send(at, { text: 'x', headers: { 'content-type': 'text/plain' } }),
  '422 idempotency_key_reused': async (at) => {
    const headers = { 'idempotency-key': unique('key') }
    await send(at, { body: { once: 1 }, headers })
    return send(at, { body: { once: 2 }, headers })
  },
  '429 rate_limited': async (at) => {
    // Charged though it is refused, and it changes nothing.
    const charged = await send(at, { headers: { accept: 'image/png' }, url: at.broken.limited })
    assert.equal(charged.status, 406)
    return send(at, { url: at.broken.limited })
  },
  '500 internal': (at) => send(at, { url: at.broken.faulty }),
  '503 unavailable': (at) => send(at, { url: at.broken.alone }),
}

/** What the endpoint answers while the only worker for its runs holds less than the organization requires. */
async function whileWorkersAreWeak(at: Provoked): Promise<Answer> {
  const { world, testing } = at
  const body = { labels: ['weak'], settings: { sandbox_require: { disk: 'kernel' } } }
  assert.equal((await testing.ask(world.path, { method: 'PATCH', token: world.token, body })).status, 200)
  const { id } = await one<{ id: number }>(
    testing.app.pool,
    `insert into workers (name, slots, version, labels, enforcement, alive_until)
     values ('weak', 1, '0', '{weak}', '{"disk": "polled"}', now() + interval '1 minute') returning id`,
  )
  const answer = await send(at)
  await testing.app.pool.query('delete from workers where id = $1', [id])
  return answer
}

/** What the endpoint answers while a request with the same key is at work. */
async function whileAtWork(at: Provoked): Promise<Answer> {
  const { route, world, testing } = at
  const key = unique('key')
  const { path, body } = exampleRequest(route, world)
  const me = await testing.ask('/v1/users/me', { token: tokenFor(at) })
  const organizationId = path.startsWith(`${world.path}/`) ? world.organizationId : null
  const request = keyedRequest({ organizationId, userId: Number(me.body.id), method: route.method, path, key, body })
  const { app } = testing
  const answered = await answerOnce<Answer>(app.pool, {
    request,
    now: app.clock.now(),
    isLong: false,
    make: async () => ({
      body: await send(at, { headers: { 'idempotency-key': key } }),
      kept: { text: null, runId: null, repoId: null, pullId: null },
    }),
  })
  assert.ok(!answered.isReplay)
  return answered.body
}
