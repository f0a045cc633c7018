import { providerNames, providers, type ProviderName } from '#base/models/model-providers.ts'
import type { Wire } from '#base/models/read-event.ts'

export type ModelPath = {
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

/** What `/model/anthropic/v1/messages` and its like ask for; undefined for what is not offered. */
export function findModelPath(pathname: string): ModelPath | undefined {
  const [, name = '', version = '', path = ''] = /^\/model\/([a-z]+)\/(\w+)(\/.*)$/.exec(pathname) ?? []
  const provider = providerNames.find((one) => one === name)
  if (!provider || version !== providers[provider].version) return undefined
  for (const one of known) {
    const found = one.provider === provider && one.path.exec(path)
    if (found) return { provider, wire: one.wire, path, model: found.groups?.['model'] ?? null, isBilled: one.isBilled }
  }
  return undefined
}
