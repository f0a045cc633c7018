/** A key by which programs reach one repository over SSH. */
export type DeployKey = {
  id: number
  repoId: number
  title: string
  /** Its type and the key. */
  publicKey: string
  /** As `ssh-keygen -l` prints it. */
  fingerprint: string
  canPush: boolean
  /** The user who has added it. */
  createdBy: number
  createdAt: Date
  lastUsedAt: Date | null
}

/** Columns of a `DeployKey`, in its names. */
export const deployKeyColumns =
  'id, repo_id, title, public_key, fingerprint, can_push, created_by, created_at, last_used_at'

/** Of one repository. */
export const deployKeysMax = 50
