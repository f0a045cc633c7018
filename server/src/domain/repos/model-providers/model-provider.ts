import type { Json } from '#base/json.ts'
import type { ModelKind } from '#base/models/own-provider.ts'

/** A model provider of an organization as people see it: never its key. */
export type ModelProvider = {
  id: number
  name: string
  kind: ModelKind
  /** Null: that of the provider that the kind is called after. */
  baseUrl: string | null
  hasKey: boolean
  /** Its models are asked with keys of members alone; the organization has none. */
  memberKeysOnly: boolean
  /** The only models that may be used; null: all. */
  models: string[] | null
  /** Of a million tokens; both or none. */
  inputUsd: number | null
  outputUsd: number | null
  createdAt: Date
  updatedAt: Date
}

/** Columns of a `ModelProvider`, in its names. */
export const modelProviderColumns = `id, name, kind, base_url, sealed is not null as has_key, member_keys_only, models, input_usd, output_usd, created_at, updated_at`

/** What a key is sealed for: it can be read in a row of its own name alone. */
export function modelKeyPlace(organizationId: number, name: string): Json {
  return ['model provider', organizationId, name]
}
