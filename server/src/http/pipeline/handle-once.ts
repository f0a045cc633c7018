import type { FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'
import { answerOnce, type KeptAnswer } from '#domain/accounts/idempotency-keys/answer-once.ts'
import { keyedRequest } from '#domain/accounts/idempotency-keys/keyed-request.ts'
import { openTenant } from '#domain/accounts/organizations/open-tenant.ts'
import type { HttpDeps } from './deps.ts'
import type { Call, Route } from './route.ts'

const name = 'Idempotency-Key'
const header = 'idempotency-key'

type AnyCall = Call<unknown, unknown, unknown>

/** Has the endpoint make its answer; where the request names an `Idempotency-Key`, once for all requests with that key. */
export async function handleOnce(
  route: Route,
  { app }: HttpDeps,
  call: Omit<AnyCall, 'db' | 'keep'>,
): Promise<unknown> {
  const key = route.method === 'POST' && route.access !== 'public' ? readKey(call.request) : undefined
  const handle = route.handle as (call: AnyCall) => Promise<unknown>
  const params = call.params as Record<string, unknown>
  const organizationId = typeof params.org_id === 'number' ? params.org_id : null
  const isTenant = organizationId !== null && !route.isInstanceWide
  const db = isTenant ? openTenant(app.pool, { organizationId }) : app.pool
  if (key === undefined) return handle({ ...call, db, keep: async () => {} })
  const answered = await answerOnce(db, {
    request: keyedRequest({
      organizationId,
      userId: call.caller.userId,
      method: route.method,
      path: `${route.path.replaceAll(/:(\w+)/g, (_, param: string) => String(params[param]))}${queryOf(call.query)}`,
      key,
      body: call.body,
    }),
    now: app.clock.now(),
    isLong: route.isLong ?? false,
    make: async (db, keep) => {
      const toKeep = (body: unknown): KeptAnswer => ({
        text: textToKeep(route, body),
        ...subjectOf([params, call.body], { route, body }),
      })
      const body = await handle({ ...call, db, keep: (tx, body) => keep(tx, toKeep(body)) })
      return { body, kept: toKeep(body) }
    },
  })
  if (!answered.isReplay) return answered.body
  call.reply.header('idempotency-replayed', 'true')
  return answered.kept
}

/** What stands after the path says what is asked for, too. */
function queryOf(query: unknown): string {
  const text = new URLSearchParams(query as Record<string, string>).toString()
  return text && `?${text}`
}

/** The key that a request names. Throws `invalid_request`. */
function readKey(request: FastifyRequest): string | undefined {
  const key = request.headers[header]
  if (key === undefined) return undefined
  const times = request.raw.rawHeaders.filter((word, n) => n % 2 === 0 && word.toLowerCase() === header).length
  const msg =
    times > 1
      ? 'is given more than once'
      : /^[\x20-\x7e]{1,255}$/.test(String(key))
        ? undefined
        : 'must be 1 to 255 printable ASCII characters'
  if (msg === undefined) return String(key)
  const detail = [{ loc: ['header', name], msg, type: 'header' }]
  throw new AppError('invalid_request', { message: `${name} ${msg}.`, detail })
}

/** An answer as it is kept: what it shows once is not shown again. */
function textToKeep({ success, secrets = [] }: Route, body: unknown): string | null {
  if (success.status === 204) return null
  if (typeof body === 'string') return body
  const hidden = Object.fromEntries(secrets.map((field) => [field, null]))
  return JSON.stringify({ ...(body as object), ...hidden })
}

/** What a request names, or has made: its answer goes with that. */
function subjectOf(asked: unknown[], { route, body }: { route: Route; body: unknown }): Omit<KeptAnswer, 'text'> {
  const { component } = route.success
  const idOf = (name: string, madeAs?: string) => {
    const named = asked.map((names) => (names as Record<string, unknown> | null | undefined)?.[name])
    const made = madeAs && component === madeAs ? (body as { id?: unknown }).id : undefined
    return [...named, made].find((value) => typeof value === 'number') ?? null
  }
  return { runId: idOf('agent_run_id', 'AgentRun'), repoId: idOf('repo_id', 'Repository'), pullId: idOf('pr_id') }
}
