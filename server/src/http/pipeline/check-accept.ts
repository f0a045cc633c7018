import type { FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'
import { readWeights } from './read-weights.ts'

/** Throws `not_acceptable` when the client takes none of what the route answers. Errors it takes in any form. */
export function checkAccept(request: FastifyRequest, mediaType: string): void {
  const header = request.headers.accept
  if (header === undefined || header.trim() === '') return
  const ranges = readWeights(header)
  const [group] = mediaType.split('/')
  const acceptable = ['*/*', `${group}/*`, mediaType, 'application/problem+json']
  if (!ranges.some(({ value, weight }) => weight !== 0 && acceptable.includes(value))) {
    throw new AppError('not_acceptable', {
      message: `This path returns ${mediaType}, which the Accept header does not allow.`,
    })
  }
}
