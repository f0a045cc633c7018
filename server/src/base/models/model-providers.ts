import type { ModelConfig } from './model-config.ts'
import { trimTrailing } from '#base/text/trim-trailing.ts'

export type ProviderName = 'anthropic' | 'openai' | 'google'

/** How one provider of models is reached, and with what. */
export type Provider = {
  title: string
  keyVariable: string
  baseUrlVariable: string
  baseUrl: string
  version: string
  model: string
  /** Bare names that are surely this provider's. */
  names: RegExp
}

/** In the order in which a default is looked for. `model` is used at the provider's own address. */
export const providers: Record<ProviderName, Provider> = {
  anthropic: {
    title: 'Anthropic',
    keyVariable: 'ANTHROPIC_API_KEY',
    baseUrlVariable: 'ANTHROPIC_BASE_URL',
    baseUrl: 'https://api.anthropic.com/v1',
    version: 'v1',
    model: 'claude-sonnet-5',
    names: /^claude/i,
  },
  openai: {
    title: 'OpenAI',
    keyVariable: 'OPENAI_API_KEY',
    baseUrlVariable: 'OPENAI_BASE_URL',
    baseUrl: 'https://api.openai.com/v1',
    version: 'v1',
    model: 'gpt-5.6',
    names: /^(gpt|chatgpt|codex|o\d)/i,
  },
  google: {
    title: 'Google',
    keyVariable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    baseUrlVariable: 'GOOGLE_BASE_URL',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    version: 'v1beta',
    model: 'gemini-3.8-flash',
    names: /^gemini/i,
  },
}

export const providerNames = Object.keys(providers) as ProviderName[]

export const isProviderName = (name: string): name is ProviderName => providerNames.some((one) => one === name)

/** How people are told of a provider, its key and its address. */
export function wordsOf(
  { own }: Partial<ModelConfig>,
  name: ProviderName,
): { title: string; key: string; address: string } {
  if (own !== undefined) return { title: `The model provider ${own}`, key: 'its key', address: 'its address' }
  const { title, keyVariable, baseUrlVariable } = providers[name]
  return { title, key: keyVariable, address: baseUrlVariable }
}

/** Where a provider is reached. People write addresses with and without the version; both work. */
export function baseUrlOf(config: Partial<ModelConfig>, name: ProviderName): string {
  const configured = trimTrailing(config[name]?.baseUrl ?? '', '/')
  if (!configured) return providers[name].baseUrl
  const path = URL.canParse(configured) ? new URL(configured).pathname : '/'
  const hasVersion = name === 'openai' ? path !== '/' : /\/v\d\w*$/.test(path)
  return hasVersion ? configured : `${configured}/${providers[name].version}`
}

/** Whether it is what Anthropic gives to subscribers for their programs, in place of a key of its API. */
export const isSubscriptionToken = (key: string): boolean => key.startsWith('sk-ant-oat')

/** Without it such a token is refused. */
export const subscriptionBeta = 'oauth-2025-04-20'

/** The headers that a provider knows us by; none where it wants no key. */
export function keyHeadersOf(config: Partial<ModelConfig>, name: ProviderName): Record<string, string> {
  const key = config[name]?.apiKey?.reveal()
  if (!key) return {}
  if (name === 'anthropic')
    return isSubscriptionToken(key)
      ? { authorization: `Bearer ${key}`, 'anthropic-beta': subscriptionBeta }
      : { 'x-api-key': key }
  return name === 'google' ? { 'x-goog-api-key': key } : { authorization: `Bearer ${key}` }
}

/** Whether runs may use this model of these settings; `anthropic/claude-*` in the setting stands for all that begin so. */
export function isModelAllowed({ allowed }: Partial<ModelConfig>, name: string): boolean {
  if (!allowed) return true
  return allowed.some((one) => isNamed(one, name))
}

/** Whether a name as an operator writes it, with a `*` at its end or without, stands for this model. */
export const isNamed = (written: string, name: string): boolean =>
  written.endsWith('*') ? name.startsWith(written.slice(0, -1)) : name === written

/** Takes every key, and every password of an address, out of a text. */
export function withoutSecrets(config: Partial<ModelConfig>, text: string): string {
  const secrets = providerNames.flatMap((name) => {
    const url = config[name]?.baseUrl
    const password = url && URL.canParse(url) ? new URL(url).password : ''
    return [config[name]?.apiKey?.reveal() ?? '', password, decodeURIComponent(password)]
  })
  return secrets.filter((secret) => secret.length >= 4).reduce((left, secret) => left.replaceAll(secret, '[key]'), text)
}
