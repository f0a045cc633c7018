import type { FastifyReply, FastifyRequest } from 'fastify'
import type { SignInAttempt } from '#adapters/identities/identity-provider.ts'
import { limits } from '#base/limits.ts'
import type { HttpApp } from '#http/pipeline/deps.ts'
import { readCookie, setCookie } from '#http/pipeline/session-cookie.ts'

const name = 'runwright_sign_in'

/** A sign-in that was begun in this browser, and where it is to lead. */
export type KeptAttempt = SignInAttempt & { next: string }

type Kept = KeptAttempt & { endsAtMs: number }

type Place = Pick<HttpApp, 'publicUrl' | 'secretBox' | 'clock'>

/** Sealed, so that the server keeps nothing and the browser can neither read nor make one. */
export function keepAttempt(reply: FastifyReply, app: Place, attempt: KeptAttempt): void {
  const kept: Kept = { ...attempt, endsAtMs: app.clock.now().getTime() + limits.signInMs }
  const sealed = app.secretBox.seal(Buffer.from(JSON.stringify(kept)), [name])
  set(reply, app, { value: sealed.toString('base64url'), seconds: limits.signInMs / 1_000 })
}

/** Each is answered once: whatever comes of it, the browser forgets it. Undefined for none, a forged and an old one. */
export function takeAttempt(request: FastifyRequest, reply: FastifyReply, app: Place): KeptAttempt | undefined {
  const value = readCookie(request, name, app)
  if (value === undefined) return undefined
  set(reply, app, { value: '', seconds: 0 })
  const opened = app.secretBox.open(Buffer.from(value, 'base64url'), [name])
  if (!opened) return undefined
  const { endsAtMs, ...attempt } = JSON.parse(opened.toString()) as Kept
  return app.clock.now().getTime() < endsAtMs ? attempt : undefined
}

function set(
  reply: FastifyReply,
  { publicUrl }: Pick<HttpApp, 'publicUrl'>,
  { value, seconds }: { value: string; seconds: number },
): void {
  // Lax: the browser comes back from another site.
  setCookie(reply, { name, value, publicUrl, sameSite: 'Lax', end: `Max-Age=${seconds}` })
}
