import { providerNames, providers } from '#base/models/model-providers.ts'
import { sourcesOf, type ModelOptions } from './model-options.ts'

/** Why no model can be used; null when one can. */
export function whyNoModel(options: ModelOptions): string | null {
  if (sourcesOf(options).length > 0) return null
  const keys = providerNames.map((name) => providers[name].keyVariable).join(', ')
  return `no model is configured: set one of ${keys}, or OPENAI_BASE_URL for a server of your own, or add a model provider to the organization`
}
