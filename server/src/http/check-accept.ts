import type { FastifyRequest } from 'fastify'
import { AppError } from '#base/errors.ts'

/** Throws `not_acceptable` when the client takes none of what the route answers. Errors it takes in any form. */
export function checkAccept(request: FastifyRequest, mediaType: string): void {
  const header = request.headers.accept
  if (header === undefined || header.trim() === '') return
  const ranges = header.split(',').map(readRange)
  const [group] = mediaType.split('/')
  const wanted = ['*/*', `${group}/*`, mediaType, 'application/problem+json']
  if (!ranges.some(({ range, isRefused }) => !isRefused && wanted.includes(range))) {
    throw new AppError('not_acceptable', {
      message: `This path answers ${mediaType}, which the Accept header does not take.`,
    })
  }
}

function readRange(text: string): { range: string; isRefused: boolean } {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  return { range, isRefused: parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter)) }
}
