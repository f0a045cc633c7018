import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { version } from '#base/version.ts'
import { plainTag } from './compress-answers.ts'
import type { Recent } from './deps.ts'
import type { JsonOf } from './json-of.ts'

export type AnswerTagged = { request: FastifyRequest; reply: FastifyReply; recent: Recent }
/** All that an answer is made of, in a form that no other answer has. */
export type MadeOf = (string | number | boolean | undefined)[]

/**
 * An answer with the tag that names it by all it is made of: as it was sent before, or made anew; where `If-None-Match`
 * names it too, a 304. Asked only once the caller is known to be allowed to read.
 */
export async function answerTagged<Answer>(
  { request, reply, recent }: AnswerTagged,
  { madeOf, make }: { madeOf: MadeOf; make: () => Promise<JsonOf<Answer>> },
): Promise<JsonOf<Answer>> {
  const key = JSON.stringify([version, ...madeOf])
  const answer = recent.answers.get(key)
  const tag = answer?.tag ?? `"${hash('sha256', key, 'base64url').slice(0, 27)}"`
  const named = findNamed(tag, request.headers['if-none-match'])
  reply.header('etag', named ?? tag)
  if (named) {
    reply.code(304)
    return '' as JsonOf<Answer>
  }
  if (answer) return answer.body as JsonOf<Answer>
  const body = await make()
  recent.answers.set(key, { tag, body }, body.length)
  return body
}

/**
 * The tag as the client names it: of the answer as it is, or compressed. Our tags hold no comma, so what is between commas
 * is one of them or is none.
 */
function findNamed(tag: string, header: string | undefined): string | undefined {
  const known = header?.trim()
  if (known === '*') return tag
  return known
    ?.split(',')
    .map((one) => one.trim())
    .find((one) => plainTag(one.replace(/^W\//, '')) === tag)
}
