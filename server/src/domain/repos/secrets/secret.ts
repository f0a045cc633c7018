import type { Json } from '#base/json.ts'

/** A secret as people see it: never its value. */
export type SecretHead = { name: string; createdAt: Date; updatedAt: Date }

/** Where a secret is kept: with the organization, or with one of its repositories. */
export type SecretPlace = { organizationId: number; repoId: number | null }

/** Columns of a `SecretHead`, in its names. */
export const secretColumns = `name, created_at, updated_at`

/** What a value is sealed for: it can be read in its own row alone. */
export function sealedFor({ organizationId, repoId }: SecretPlace, name: string): Json {
  return ['secret', organizationId, repoId, name]
}
