import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { version } from '#base/version.ts'

/**
 * Whether the client has the answer already: names the answer by everything it is made of, and where `If-None-Match`
 * names it too, makes the reply a 304. Asked only once the caller is known to be allowed to read.
 */
export function isKnown(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  madeOf: (string | number | boolean | undefined)[],
): boolean {
  const tag = `"${hash('sha256', JSON.stringify([version, ...madeOf]), 'base64url').slice(0, 27)}"`
  reply.header('etag', tag)
  const known = request.headers['if-none-match']?.trim()
  // Our names hold no comma, so what is between commas is one of them or is none.
  const isSame = known === '*' || known?.split(',').some((one) => one.trim().replace(/^W\//, '') === tag)
  if (isSame) reply.code(304)
  return isSame ?? false
}
