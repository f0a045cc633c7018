import type { FastifyReply, FastifyRequest } from 'fastify'
import { limits } from '#base/limits.ts'
import type { HttpApp } from './deps.ts'
import { readCookie, setCookie } from './session-cookie.ts'

const name = 'runwright_form_target'

type Kept = { origin: string; endsAtMs: number }
type Place = Pick<HttpApp, 'publicUrl' | 'secretBox' | 'clock'>

/**
 * Remembers, in the browser of whoever has begun to make an App, at which GitHub the form is to be posted. It is sealed:
 * a link, or another site, cannot make one.
 */
export function keepFormTarget(reply: FastifyReply, app: Place, { origin }: URL): void {
  if (!plainOrigin.test(origin)) return
  const kept: Kept = { origin, endsAtMs: app.clock.now().getTime() + limits.formTargetMs }
  const value = app.secretBox.seal(Buffer.from(JSON.stringify(kept)), [name]).toString('base64url')
  const end = `Max-Age=${limits.formTargetMs / 1_000}`
  setCookie(reply, { name, value, publicUrl: app.publicUrl, sameSite: 'Strict', end })
}

/** Where pages in this browser may post a form to besides github.com; undefined for none, a forged and an old one. */
export function readFormTarget(request: FastifyRequest, app: Place): string | undefined {
  const value = readCookie(request, name, app)
  const opened = value === undefined ? undefined : app.secretBox.open(Buffer.from(value, 'base64url'), [name])
  if (!opened) return undefined
  const { origin, endsAtMs } = JSON.parse(opened.toString()) as Kept
  return app.clock.now().getTime() < endsAtMs ? origin : undefined
}

/** Without what would end a word of the policy. */
const plainOrigin = /^https?:\/\/[\w.-]+(?::\d+)?$/
