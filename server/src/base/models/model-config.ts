import type { Secret } from '#base/secrets/secret.ts'

/** Prices that people have set, of a million tokens: what is cached costs the same. A `*` at the end stands for any rest. */
export type ModelPrices = { model: string; inputUsd: number; outputUsd: number; source?: string }[]

/** How the models of one provider are reached. */
export type ProviderConfig = { apiKey: Secret | undefined; baseUrl: string | undefined }

export type ModelConfig = {
  anthropic: ProviderConfig | undefined
  /** A key is not needed where `baseUrl` is a server of one's own. */
  openai: { apiKey: Secret | undefined; baseUrl: string | undefined; wire: 'responses' | 'chat' } | undefined
  google: ProviderConfig | undefined
  /** In the order in which they are asked: the others where the first cannot be. */
  defaultModels: string[]
  /** The only models that runs may use, as `anthropic/claude-…`; a `*` at the end stands for any rest. Undefined: all. */
  allowed: string[] | undefined
  /** The only models of the chat wire that see images, as `openai/qwen3-vl*`. Undefined: by their names. */
  vision?: string[] | undefined
  /** How often one turn may ask a model. */
  stepsMax?: number
  /** Of models that the price table does not know, or knows otherwise. */
  prices?: ModelPrices | undefined
  /** The name of the organization's own model provider whose settings these are, and no other's. Undefined: the operator's. */
  own?: string
}
