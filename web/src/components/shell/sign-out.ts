import { useSyncExternalStore } from 'react'
import { client, isSignedOut } from '#base/api.ts'
import { dropDrafts } from '#ui/use-draft.ts'

let fault: Error | null = null
const listeners = new Set<() => void>()

/** Why somebody who wanted to sign out is still signed in. */
export const useSignOutFault = (): Error | null =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => fault,
  )

/**
 * Signs this browser out and reloads the page, so that nothing stays of what it read, drafts included. Where that fails the
 * page stays as it is, and says so.
 */
export async function signOut(): Promise<void> {
  tell(null)
  try {
    await client.sessions.revokeSession()
  } catch (error) {
    if (!isSignedOut(error)) return tell(error as Error)
  }
  dropDrafts()
  location.assign('/sign-in')
}

export const forgetSignOut = (): void => tell(null)

function tell(next: Error | null): void {
  fault = next
  for (const listener of listeners) listener()
}
