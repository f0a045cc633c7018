import type { ModelConfig } from '#base/config.ts'

/** Which model providers may be used, and how patient we are with them. */
export type ModelOptions = Partial<ModelConfig> & {
  /** The window of every model; else what is known of it. */
  contextTokens?: number
  /** How long one model call may be tried again, waits included. */
  patienceMs?: number
  /** How long one request may go unanswered. */
  silenceMs?: number
  /** Model calls of one turn. */
  stepsMax?: number
}

export const modelDefaults = {
  contextTokens: 128_000,
  patienceMs: 15 * 60_000,
  // Answers are not streamed, so a long one looks like silence. Node's own fetch gives up after 300 s.
  silenceMs: 280_000,
  stepsMax: 200,
} as const

export type ProviderName = 'anthropic' | 'openai' | 'google'

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

export const providerNames = Object.keys(providers) as ProviderName[]

/** Where a provider is reached. People write addresses with and without the version; both work. */
export function baseUrlOf(options: ModelOptions, name: ProviderName): string {
  const given = options[name]?.baseUrl?.replace(/\/+$/, '')
  if (!given) return providers[name].baseUrl
  const path = URL.canParse(given) ? new URL(given).pathname : '/'
  const hasVersion = name === 'openai' ? path !== '/' : /\/v\d\w*$/.test(path)
  return hasVersion ? given : `${given}/${providers[name].version}`
}

/** Takes every key, and every password of an address, out of a text. */
export function withoutSecrets(options: ModelOptions, text: string): string {
  const secrets = providerNames.flatMap((name) => {
    const url = options[name]?.baseUrl
    const password = url && URL.canParse(url) ? new URL(url).password : ''
    return [options[name]?.apiKey?.reveal() ?? '', password, decodeURIComponent(password)]
  })
  return secrets.filter((secret) => secret.length >= 4).reduce((left, secret) => left.replaceAll(secret, '[key]'), text)
}
