import { AppError } from '#base/errors.ts'
import { configOf, lackOfKey, wireOf, type OwnProvider } from '#base/models/own-provider.ts'
import type { HttpApp } from '#http/pipeline/deps.ts'

type App = Pick<HttpApp, 'sendToModel'>

/** What a provider lists with this key at this address; else why not, in a sentence. */
export async function tryModels(
  { sendToModel }: App,
  { organizationId, provider }: { organizationId: number; provider: OwnProvider },
): Promise<string[] | { error: string }> {
  if (provider.lacksKey) return { error: `${lackOfKey(provider.name)}.` }
  const { listModelIds } = await import('#adapters/engines/builtin/list-models.ts')
  const options = { ...configOf(provider), send: sendToModel, asker: organizationId }
  return listModelIds(options, wireOf(provider.kind)).catch((error: Error) => ({ error: error.message }))
}

/** Throws `model_provider_failed`. */
export async function requireModels(app: App, which: { organizationId: number; provider: OwnProvider }): Promise<void> {
  const listed = await tryModels(app, which)
  if (Array.isArray(listed)) return
  const message = `${listed.error} Nothing was saved. A provider that lists no models is saved with "check": false.`
  throw new AppError('model_provider_failed', { message })
}
