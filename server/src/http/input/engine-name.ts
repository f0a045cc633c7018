import { AppError } from '#base/errors.ts'
import type { HttpApp } from '#http/pipeline/deps.ts'

/** An engine is stored, shown and counted by one name, whichever of its names was asked for. */
export function engineName(request: string): string {
  return request === 'codegen' ? 'builtin' : request
}

/** The name that runs of the engine are stored with. Throws `invalid_request`. */
export function readEngineName(engines: HttpApp['engines'], request: string): string {
  const name = engineName(request)
  if (engines.has(name)) return name
  const known = [...engines].flatMap(([one, { isUnlisted }]) => (isUnlisted ? [] : [one])).join(', ')
  const msg = `is none of the engines here: ${known}`
  throw new AppError('invalid_request', {
    message: `The request is not valid: query.agent_type ${msg}.`,
    detail: [{ loc: ['query', 'agent_type'], msg, type: 'enum' }],
  })
}
