import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { IdentityFault, type IdentityFaultKind, type IdentityProvider } from '#adapters/identities/identity-provider.ts'
import type { OpenIdConfig } from '#base/config/config.ts'
import { admitIdentity, type Refusal } from '#domain/accounts/identities/admit-identity.ts'
import { createSession } from '#domain/accounts/sessions/create-session.ts'
import type { HttpApp, HttpDeps } from '#http/pipeline/deps.ts'
import { setSessionCookie } from '#http/pipeline/session-cookie.ts'
import { keepAttempt, takeAttempt } from './attempt-cookie.ts'
import { Visitors } from './visitors.ts'

export const signInPath = '/auth/oidc'
const returnPath = `${signInPath}/callback`

/** Why somebody is back at the sign-in page, which says it in a sentence. */
type Fault = IdentityFaultKind | Refusal | 'expired' | 'too_many' | 'failed'

/** Where the browser goes from here: an address, or the sign-in page, which then leads to `next` as before. */
type Onward = { url: string } | { fault: Fault; next: string }

type SignIn = { app: HttpApp; provider: IdentityProvider; rules: OpenIdConfig }
type Step = (signIn: SignIn, request: FastifyRequest, reply: FastifyReply) => Promise<Onward>

/**
 * Signing in by a provider: browsers are sent there, and come back. Whatever fails leads to the sign-in page, where a token
 * is still good. Answers the paths that it has added: none where no provider is configured.
 */
export function addSignIn(server: FastifyInstance, { app }: Pick<HttpDeps, 'app'>): string[] {
  const { identityProvider: provider, config } = app
  const rules = config.openId
  if (!provider || !rules) return []
  const visitors = new Visitors(app.clock)
  const steps: [string, Step][] = [
    [signInPath, begin],
    [returnPath, finish],
  ]
  for (const [path, step] of steps) {
    server.get(path, async (request, reply) => {
      reply.header('cache-control', 'no-store')
      const onward: Onward = visitors.admit(request.ip)
        ? await step({ app, provider, rules }, request, reply)
        : { fault: 'too_many', next: '/' }
      return reply.redirect('url' in onward ? onward.url : addressOf(app, onward), 303)
    })
  }
  return steps.map(([path]) => path)
}

async function begin({ app, provider }: SignIn, request: FastifyRequest, reply: FastifyReply): Promise<Onward> {
  const next = ownPlace(app, (request.query as { next?: unknown }).next)
  try {
    const { url, attempt } = await provider.begin(app.publicUrl + returnPath)
    keepAttempt(reply, app, { ...attempt, next })
    return { url }
  } catch (error) {
    return { fault: faultOf(error, request), next }
  }
}

async function finish({ app, provider, rules }: SignIn, request: FastifyRequest, reply: FastifyReply): Promise<Onward> {
  const kept = takeAttempt(request, reply, app)
  if (!kept) return { fault: 'expired', next: '/' }
  const { next, ...attempt } = kept
  try {
    // The address as the provider was given it, whatever this request says that it was sent to.
    const { search } = new URL(request.url, app.publicUrl)
    const identity = await provider.finish(new URL(app.publicUrl + returnPath + search), attempt)
    const { emailDomains, organizationId } = rules
    const admission = await admitIdentity(app.pool, { identity, emailDomains, organizationId })
    if ('refusal' in admission) return { fault: admission.refusal, next }
    const { secret, expiresAt } = await createSession(app.pool, app.tokenKeys, admission)
    setSessionCookie(reply, { secret, expiresAt, publicUrl: app.publicUrl })
    return { url: app.publicUrl + next }
  } catch (error) {
    return { fault: faultOf(error, request), next }
  }
}

/** A place of our own pages, wherever a link says that it leads. */
function ownPlace({ publicUrl }: HttpApp, next: unknown): string {
  if (typeof next !== 'string' || !URL.canParse(next, publicUrl)) return '/'
  const { origin, pathname, search, hash } = new URL(next, publicUrl)
  // A path that begins with two slashes is an address of elsewhere.
  return origin === new URL(publicUrl).origin && !pathname.startsWith('//') ? pathname + search + hash : '/'
}

function addressOf({ publicUrl }: HttpApp, { fault, next }: { fault: Fault; next: string }): string {
  const query = new URLSearchParams({ fault, ...(next !== '/' && { next }) })
  return `${publicUrl}/sign-in?${query.toString()}`
}

function faultOf(error: unknown, { log }: FastifyRequest): Fault {
  if (error instanceof IdentityFault) {
    log.warn({ fault: error.kind, reason: error.message }, 'the identity provider vouched for nobody')
    return error.kind
  }
  log.error({ err: error }, 'a sign-in failed')
  return 'failed'
}
