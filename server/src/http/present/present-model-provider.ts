import type { MemberKey } from '#domain/repos/model-providers/member-key.ts'
import type { ModelProvider } from '#domain/repos/model-providers/model-provider.ts'
import type { Components } from '#http/schemas/index.ts'

/** `myKey`: of whoever asks. */
export function presentModelProvider(
  provider: ModelProvider,
  myKey: MemberKey | undefined,
): Components['ModelProvider'] {
  return {
    id: provider.id,
    name: provider.name,
    kind: provider.kind,
    has_key: provider.hasKey,
    member_keys_only: provider.memberKeysOnly,
    my_key: myKey ? presentMemberKey(myKey) : null,
    base_url: provider.baseUrl,
    models: provider.models,
    input_usd: provider.inputUsd,
    output_usd: provider.outputUsd,
    created_at: provider.createdAt.toISOString(),
    updated_at: provider.updatedAt.toISOString(),
  }
}

export function presentMemberKey({ last4, updatedAt }: MemberKey): Components['MemberKey'] {
  return { last4, updated_at: updatedAt.toISOString() }
}
