import type { ModelConfig } from './model-config.ts'
import { providerNames, providers } from './model-providers.ts'
import { wireOf, type OwnProvider } from './own-provider.ts'

type Own = Pick<OwnProvider, 'name' | 'kind' | 'baseUrl' | 'models'>

/** The model of runs for which nobody has chosen one; null where a server has to be asked first for what it has, or there is none. */
export function findDefaultModel(
  config: Partial<ModelConfig>,
  organization: { items: readonly Own[] } = { items: [] },
): string | null {
  const [named] = config.defaultModels ?? []
  if (named !== undefined) return named
  const ownNamed = (name: string) => organization.items.find((own) => own.name === name)
  const provider = providerNames.find((name) => config[name] ?? ownNamed(name))
  const own = provider ? ownNamed(provider) : organization.items[0]
  if (own) {
    const model = own.models?.[0] ?? (own.baseUrl === null ? providers[wireOf(own.kind)].model : null)
    return model === null ? null : `${own.name}/${model}`
  }
  return provider && !config[provider]?.baseUrl ? `${provider}/${providers[provider].model}` : null
}
