import type { ModelConfig } from './model-config.ts'
import { providerNames, providers } from './model-providers.ts'

/** The model of runs for which nobody has chosen one; null where a server has to be asked first for what it has, or there is none. */
export function findDefaultModel(config: Partial<ModelConfig>): string | null {
  const [named] = config.defaultModels ?? []
  if (named !== undefined) return named
  const provider = providerNames.find((name) => config[name])
  return provider && !config[provider]?.baseUrl ? `${provider}/${providers[provider].model}` : null
}
