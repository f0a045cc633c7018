import type { FastifyReply } from 'fastify'
import { AppError } from '#base/errors.ts'
import type { Policy } from '#base/rate-limits.ts'
import type { Sender, WindowState } from '#domain/accounts/rate-limits/window.ts'
import type { HttpDeps } from './deps.ts'

/**
 * Charges a request to its policy and says on the answer how the token stands, whatever the answer will be. Throws
 * `rate_limited`.
 */
export async function checkRateLimit(
  { app, rateLimiter }: HttpDeps,
  { reply, policy, sender }: { reply: FastifyReply; policy: Policy; sender: Required<Sender> },
): Promise<void> {
  const { isAdmitted, states } = await rateLimiter.admit({ ...pick(sender), policy })
  if (states.length) sayStates(reply, states, app.clock.now())
  if (isAdmitted) return
  const seconds = Math.max(1, secondsOf(states[0]))
  reply.header('retry-after', seconds)
  const { policy: refusing, limit, windowMs } = states[0]!
  const may = `may send ${limit} requests${refusing === policy ? ` of the policy "${policy}"` : ''} in ${windowMs / 1_000} seconds`
  throw new AppError('rate_limited', { message: `${whoMay(refusing)} ${may}. Try again in ${seconds} seconds.` })
}

const pick = ({ credentialId, userId, organizationId }: Required<Sender>): Sender => ({
  credentialId,
  userId,
  organizationId,
})

function whoMay(policy: Policy): string {
  if (policy === 'user') return 'You, with all of your tokens and browsers,'
  return policy === 'organization' ? 'This organization, with all tokens and browsers of its members,' : 'This token'
}

/** The headers of the IETF's draft for every policy charged, and the older ones for the one nearest its end. */
function sayStates(reply: FastifyReply, states: WindowState[], now: Date): void {
  const policies = states.map(({ policy, limit, windowMs }) => `"${policy}";q=${limit};w=${windowMs / 1_000}`)
  const standings = states.map((state) => `"${state.policy}";r=${remainingOf(state)};t=${secondsOf(state)}`)
  const nearest = states.reduce((one, other) => (remainingOf(other) < remainingOf(one) ? other : one))
  reply.headers({
    'ratelimit-policy': policies.join(', '),
    ratelimit: standings.join(', '),
    'x-ratelimit-limit': nearest.limit,
    'x-ratelimit-remaining': remainingOf(nearest),
    'x-ratelimit-reset': Math.ceil((now.getTime() + (nearest.resetsInMs ?? 0)) / 1_000),
  })
}

const remainingOf = ({ limit, used }: WindowState) => Math.max(limit - used, 0)
const secondsOf = (state: WindowState | undefined) => Math.ceil((state?.resetsInMs ?? 0) / 1_000)
