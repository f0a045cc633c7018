import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'

const name = 'runwright_session'

/** What the browser was given when it signed in; undefined where it has not. */
export function readSessionCookie(request: FastifyRequest): string | undefined {
  return readCookie(request, name)
}

export function readCookie(request: FastifyRequest, name: string): string | undefined {
  for (const pair of request.headers.cookie?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

type SetCookie = { secret: string; expiresAt: Date; publicUrl: string }

/** Sent with requests of our own pages alone, and read by no script. */
export function setSessionCookie(reply: FastifyReply, { secret, expiresAt, publicUrl }: SetCookie): void {
  const parts = [`${name}=${secret}`, 'Path=/', 'HttpOnly', 'SameSite=Strict', `Expires=${expiresAt.toUTCString()}`]
  if (publicUrl.startsWith('https:')) parts.push('Secure')
  reply.header('set-cookie', parts.join('; '))
}

/**
 * Refuses a request that another site had the browser send. SameSite keeps the cookie away from those already; a page on
 * another port or subdomain of ours counts as the same site, and is another origin. Throws `forbidden`.
 */
export function checkOrigin(request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  const isOurs = site === undefined ? origin !== undefined && hostOf(origin) === host : site === 'same-origin'
  if (!isOurs) throw new AppError('forbidden', { message: 'A browser may send this from our own pages only.' })
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
