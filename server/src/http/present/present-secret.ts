import type { SecretHead } from '#domain/repos/secrets/secret.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentSecret({ name, createdAt, updatedAt }: SecretHead): Components['Secret'] {
  return { name, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() }
}
