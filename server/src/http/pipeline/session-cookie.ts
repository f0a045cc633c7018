import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'

const name = 'runwright_session'

/** Where people reach us: what a cookie is called, and whether it goes over encrypted lines alone, depends on it. */
type Place = { publicUrl: string }

/** What the browser was given when it signed in; undefined where it has not. */
export function readSessionCookie(request: FastifyRequest, place: Place): string | undefined {
  // Browsers that signed in before the cookie had its prefix stay signed in. NOTE: for one release.
  return readCookie(request, name, place) ?? findCookie(request, name)
}

/** Whatever a neighbour on another subdomain sets: over https only a cookie with the prefix is ours. */
export function readCookie(request: FastifyRequest, name: string, place: Place): string | undefined {
  return findCookie(request, nameAt(place, name))
}

function findCookie(request: FastifyRequest, name: string): string | undefined {
  for (const pair of request.headers.cookie?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

type SetSession = Place & { secret: string; expiresAt: Date }

/** Sent with requests of our own pages alone, and read by no script. */
export function setSessionCookie(reply: FastifyReply, { secret, expiresAt, publicUrl }: SetSession): void {
  setCookie(reply, { name, value: secret, publicUrl, sameSite: 'Strict', end: `Expires=${expiresAt.toUTCString()}` })
  if (nameAt({ publicUrl }, name) === name) return
  // The one without the prefix would live on beside it.
  reply.header('set-cookie', `${name}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0; Secure`)
}

type SetCookie = Place & { name: string; value: string; sameSite: 'Strict' | 'Lax'; end: string }

/** With the prefix that keeps other hosts from setting it, where lines are encrypted; browsers take it nowhere else. */
export function setCookie(reply: FastifyReply, { name, value, publicUrl, sameSite, end }: SetCookie): void {
  const parts = [`${nameAt({ publicUrl }, name)}=${value}`, 'Path=/', 'HttpOnly', `SameSite=${sameSite}`, end]
  if (isEncrypted({ publicUrl })) parts.push('Secure')
  reply.header('set-cookie', parts.join('; '))
}

export const isEncrypted = ({ publicUrl }: Place) => publicUrl.startsWith('https:')

const nameAt = (place: Place, name: string) => (isEncrypted(place) ? `__Host-${name}` : name)

/**
 * Refuses a request that another site had the browser send. SameSite keeps the cookie away from those already; a page on
 * another port or subdomain of ours counts as the same site, and is another origin. Throws `forbidden`.
 */
export function checkOrigin(request: FastifyRequest): void {
  if (request.method === 'GET' || request.method === 'HEAD') return
  const { origin, host } = request.headers
  const site = request.headers['sec-fetch-site']
  const isOurs = site === undefined ? origin !== undefined && hostOf(origin) === host : site === 'same-origin'
  if (!isOurs) throw new AppError('forbidden', { message: 'A browser may send this only from pages of Runwright.' })
}

function hostOf(origin: string): string | undefined {
  return URL.canParse(origin) ? new URL(origin).host : undefined
}
