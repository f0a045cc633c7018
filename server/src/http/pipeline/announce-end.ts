import type { FastifyReply } from 'fastify'

/** That an endpoint is going away: since when it should not be used, when it ends, and where that is explained. */
export type PlannedEnd = { deprecatedAt: Date; endsAt?: Date; explainedAt?: string }

/** Says so on each answer: `Deprecation` of RFC 9745, `Sunset` of RFC 8594. */
export function announceEnd(reply: FastifyReply, { deprecatedAt, endsAt, explainedAt }: PlannedEnd): void {
  reply.header('deprecation', `@${Math.floor(deprecatedAt.getTime() / 1000)}`)
  if (endsAt) reply.header('sunset', endsAt.toUTCString())
  if (explainedAt) reply.header('link', `<${explainedAt}>; rel="deprecation"; type="text/html"`)
}
