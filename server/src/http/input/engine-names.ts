import { AppError } from '#base/errors.ts'
import type { HttpApp } from '#http/pipeline/deps.ts'

/** All names of the engine that is meant: runs are stored with the one that was given. Throws `invalid_request`. */
export function engineNames(engines: HttpApp['engines'], request: string): string[] {
  const engine = engines.get(request)
  if (engine) return [...engines].flatMap(([name, one]) => (one === engine ? [name] : []))
  const known = [...engines].flatMap(([name, { isUnlisted }]) => (isUnlisted ? [] : [name])).join(', ')
  const msg = `is none of the engines here: ${known}`
  throw new AppError('invalid_request', {
    message: `The request is not valid: query.agent_type ${msg}.`,
    detail: [{ loc: ['query', 'agent_type'], msg, type: 'enum' }],
  })
}
