import type { ModelProvider } from '#domain/repos/model-providers/model-provider.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentModelProvider(provider: ModelProvider): Components['ModelProvider'] {
  return {
    id: provider.id,
    name: provider.name,
    kind: provider.kind,
    has_key: provider.hasKey,
    base_url: provider.baseUrl,
    models: provider.models,
    input_usd: provider.inputUsd,
    output_usd: provider.outputUsd,
    created_at: provider.createdAt.toISOString(),
    updated_at: provider.updatedAt.toISOString(),
  }
}
