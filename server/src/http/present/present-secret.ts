import type { SecretHead } from '#domain/repos/secrets/secret.ts'

export function presentSecret({ name, createdAt, updatedAt }: SecretHead) {
  return { name, created_at: createdAt.toISOString(), updated_at: updatedAt.toISOString() }
}
