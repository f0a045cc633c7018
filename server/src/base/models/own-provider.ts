import type { Secret } from '#base/secrets/secret.ts'
import type { ModelConfig } from './model-config.ts'
import { isProviderName, type ProviderName } from './model-providers.ts'

/** How a server of models is spoken to: by Anthropic's, OpenAI's newer, OpenAI's older or Google's API. */
export const modelKinds = ['anthropic', 'openai', 'openai_chat', 'google'] as const
export type ModelKind = (typeof modelKinds)[number]

/** A model provider of an organization, with its key as it is. */
export type OwnProvider = {
  /** The first part of the names of its models. */
  name: string
  kind: ModelKind
  /** Null: that of the provider that the kind is called after. */
  baseUrl: string | null
  /** Undefined: the server wants none. */
  apiKey: Secret | undefined
  /** It is asked with keys of members alone, and whoever asks has none. */
  lacksKey: boolean
  /** The only models that may be used, as the provider knows them; null: all. */
  models: string[] | null
  /** Of a million tokens; null: as the price list knows it. */
  price: { inputUsd: number; outputUsd: number } | null
  /** Another one whenever anything of it was changed. */
  version: string
}

/** The model providers of an organization that there are, and the names of those that were removed. */
export type OwnProviders = { organizationId: number; items: readonly OwnProvider[]; removed: readonly string[] }

/** What whoever asks a provider without a key that it needs can do about it. */
export const lackOfKey = (name: string): string =>
  `The model provider ${name} is asked with keys of members alone, and whoever started this has none: add yours with "Your key" on the page "Model providers"`

export const wireOf = (kind: ModelKind): ProviderName => (kind === 'openai_chat' ? 'openai' : kind)

/** Whether a provider of this kind may have this name: those of the operator's are replaced by their like alone. */
export const mayBeNamed = (name: string, kind: ModelKind): boolean => !isProviderName(name) || name === wireOf(kind)

/** The settings of one provider of an organization's own, as those of the operator: nothing of the operator's is among them. */
export function configOf({ name, kind, baseUrl, apiKey, models, price }: OwnProvider): ModelConfig {
  const reached = { apiKey, baseUrl: baseUrl ?? undefined }
  return {
    anthropic: kind === 'anthropic' ? reached : undefined,
    openai: wireOf(kind) === 'openai' ? { ...reached, wire: kind === 'openai' ? 'responses' : 'chat' } : undefined,
    google: kind === 'google' ? reached : undefined,
    defaultModels: [],
    allowed: models?.map((model) => `${name}/${model}`),
    prices: price ? [{ model: `${name}/*`, ...price, source: `model provider ${name}` }] : [],
    own: name,
  }
}
