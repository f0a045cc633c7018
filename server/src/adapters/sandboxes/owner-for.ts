import type { SandboxOwner } from './sandbox-files.ts'

/** The user of all sandboxes when the service is root. It owns nothing else. */
const SANDBOX_UID = 64900

/** Whose sandboxes' files are: this user's where the service is root, else its own. Throws for user 0. */
export function ownerFor(uid = SANDBOX_UID): SandboxOwner {
  // User 0 of the machine, even in a namespace, still owns /proc/sys and all that root owns.
  if (uid === 0) throw new TypeError('sandboxes must not run as user 0')
  return process.getuid?.() === 0 ? { uid, gid: uid } : null
}

/** Who sandboxes run as: the owner of their files. */
export function userOf(owner: SandboxOwner): { uid: number; gid: number } {
  return owner ?? { uid: process.getuid!(), gid: process.getgid!() }
}
