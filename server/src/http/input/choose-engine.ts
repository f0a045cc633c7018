import { AppError } from '#base/errors.ts'
import { defaultEngine } from '#domain/runs/runs/default-engine.ts'
import type { HttpApp } from '#http/pipeline/deps.ts'

/** The name of the engine that is meant, as it was given, which must be one that can be used. Throws `engine_unavailable`. */
export function chooseEngine(engines: HttpApp['engines'], request: string | null): string {
  const name = request ?? defaultEngine(engines)
  const engine = engines.get(name)
  if (!engine || engine.isUnlisted)
    throw new AppError('engine_unavailable', { message: `There is no engine "${name}" here.` })
  const { available, reason } = engine.availability()
  if (!available)
    throw new AppError('engine_unavailable', { message: `The engine "${name}" cannot be used here: ${reason}` })
  return name
}
