import { isProviderName, providers, type ProviderName } from '#base/models/model-providers.ts'
import { wireOf, type OwnProvider } from '#base/models/own-provider.ts'
import type { Wire } from '#base/models/read-event.ts'

export type ModelPath = {
  /** Stands before the names of its models. */
  name: string
  /** How it is spoken to. */
  provider: ProviderName
  wire: Wire
  /** Below the provider's address, which has the version. */
  path: string
  /** In the path; null: in the body. */
  model: string | null
  /** Whether it uses anything; counting tokens does not. */
  isBilled: boolean
}

type Known = { provider: ProviderName; wire: Wire; path: RegExp; isBilled: boolean }

/** Only what an agent needs. Files, batches, tuning and whatever else a key opens is nobody's business in a sandbox. */
const known: Known[] = [
  { provider: 'anthropic', wire: 'anthropic', path: /^\/messages$/, isBilled: true },
  { provider: 'anthropic', wire: 'anthropic', path: /^\/messages\/count_tokens$/, isBilled: false },
  { provider: 'openai', wire: 'chat', path: /^\/chat\/completions$/, isBilled: true },
  { provider: 'openai', wire: 'responses', path: /^\/responses(?:\/compact)?$/, isBilled: true },
  {
    provider: 'google',
    wire: 'google',
    path: /^\/models\/(?<model>[\w.-]+):(?:streamGenerateContent|generateContent)$/,
    isBilled: true,
  },
  { provider: 'google', wire: 'google', path: /^\/models\/(?<model>[\w.-]+):countTokens$/, isBilled: false },
]

/**
 * What `/model/anthropic/v1/messages` and its like ask for, of the operator's providers and of an organization's own ones;
 * undefined for what is not offered.
 */
export function findModelPath(
  pathname: string,
  own: readonly Pick<OwnProvider, 'name' | 'kind'>[] = [],
): ModelPath | undefined {
  const [, name = '', version = '', path = ''] = /^\/model\/([a-z0-9-]+)\/(\w+)(\/.*)$/.exec(pathname) ?? []
  const named = own.find((one) => one.name === name)
  const provider = named ? wireOf(named.kind) : isProviderName(name) ? name : undefined
  if (!provider || version !== providers[provider].version) return undefined
  for (const one of known) {
    const found = one.provider === provider && one.path.exec(path)
    const { wire, isBilled } = one
    if (found) return { name, provider, wire, path, model: found.groups?.['model'] ?? null, isBilled }
  }
  return undefined
}
