import type { SecretBox } from '#base/secrets/secret-box.ts'
import { openDataKey } from './data-key.ts'
import { sealedFor } from './secret.ts'

/** A secret that a run may be given, as it is. */
export type RunSecret = {
  name: string
  value: string
  /** Whether all commands of the run's engine have it in their environment; else those that ask for it by name. */
  isEverywhere: boolean
}

/** As it is stored, with the sealed key of its organization. */
export type SealedSecret = {
  name: string
  repoId: number | null
  sealed: Buffer
  dataKey: Buffer
  isEverywhere: boolean
}

/** Secrets of one organization, as they are. */
export function unsealSecrets(box: SecretBox, organizationId: number, stored: readonly SealedSecret[]): RunSecret[] {
  const [first] = stored
  if (!first) return []
  const dataKey = openDataKey(box, { organizationId, sealed: first.dataKey })
  return stored.map(({ name, repoId, sealed, isEverywhere }) => {
    const value = dataKey.open(sealed, sealedFor({ organizationId, repoId }, name))
    if (!value) throw new Error(`the secret ${name} of organization ${organizationId} was changed in the database`)
    return { name, value: value.toString(), isEverywhere }
  })
}
