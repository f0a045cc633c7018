import { AppError } from '#base/errors.ts'
import { hasModelProvider } from '#domain/repos/model-providers/has-model-provider.ts'
import { defaultEngine } from '#domain/runs/runs/default-engine.ts'
import type { HttpApp, HttpDb } from '#http/pipeline/deps.ts'
import { engineName } from './engine-name.ts'

type ChooseEngine = { organizationId: number; request: string | null }

/** The name by which the engine that is meant is stored, which must be one that can be used. Throws `engine_unavailable`. */
export async function chooseEngine(
  { engines }: Pick<HttpApp, 'engines'>,
  db: HttpDb,
  { organizationId, request }: ChooseEngine,
): Promise<string> {
  const find = (hasOwnModels: boolean) => {
    const name = request === null ? defaultEngine(engines, hasOwnModels) : engineName(request)
    const engine = engines.get(name)
    if (!engine || engine.isUnlisted)
      throw new AppError('engine_unavailable', { message: `There is no engine "${name}" here.` })
    return { name, ...engine.availability(hasOwnModels) }
  }
  // Most services have models of the operator, with which this is the answer whatever the organization has.
  const plain = find(false)
  const best = find(true)
  const isSame = plain.name === best.name && plain.available === best.available
  const { name, available, reason } = isSame || !(await hasModelProvider(db, { organizationId })) ? plain : best
  if (!available)
    throw new AppError('engine_unavailable', { message: `The engine "${name}" cannot be used here: ${reason}` })
  return name
}
