import type { FastifyInstance } from 'fastify'
import { AppError } from '#base/errors.ts'

type Known = { segments: string[]; taken: string[] }

/**
 * Answers 405 and what the path takes instead wherever a path is known and the method is not, and 404 elsewhere, before a
 * body is looked at. Other methods stand beside every path, so that a fixed word such as `…/run/resume` is never taken for
 * the id of `…/run/:id`. Methods that no path takes are not in the router: thirty for each path took a fifth of a start.
 */
export function refuseUnknown(app: FastifyInstance, paths: Set<string>): void {
  const known: Known[] = []
  for (const url of paths) {
    const taken = app.supportedMethods.filter((method) => app.hasRoute({ method, url })).toSorted()
    known.push({ segments: url.split('/'), taken })
    app.route({
      method: app.supportedMethods.filter((method) => !taken.includes(method)),
      url,
      onRequest: async (_, reply) => {
        reply.header('allow', taken.join(', '))
        throw refusal(taken)
      },
      handler: async () => {},
    })
  }
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done()
    const taken = app.supportedMethods.includes(request.method) ? undefined : find(known, request.url)?.taken
    if (taken) reply.header('allow', taken.join(', '))
    done(taken ? refusal(taken) : new AppError('route_not_found'))
  })
}

const refusal = (taken: string[]) =>
  new AppError('method_not_allowed', { message: `This path allows ${taken.join(', ')}.` })

/** Of several that fit, the one of most fixed words, as in the router. */
function find(known: Known[], url: string): Known | undefined {
  const asked = url.split('?', 1)[0]!.split('/')
  const fixed = ({ segments }: Known) => segments.filter((segment) => !segment.startsWith(':')).length
  return known
    .filter(
      ({ segments }) => segments.length === asked.length && segments.every((segment, at) => fits(segment, asked[at]!)),
    )
    .toSorted((one, other) => fixed(other) - fixed(one))[0]
}

const fits = (segment: string, asked: string) => segment === asked || (segment.startsWith(':') && asked !== '')
