import { useSyncExternalStore } from 'react'

const listeners = new Set<() => void>()
const keyOf = (organizationId: number, userId: number) => `notifications of ${organizationId}/${userId}`

/** Whether this browser shows notifications: each asks its person by itself, so each keeps that for itself. */
export function readNotifies(organizationId: number, userId: number): boolean {
  return localStorage.getItem(keyOf(organizationId, userId)) === 'on'
}

export function saveNotifies(organizationId: number, userId: number, notifies: boolean): void {
  if (notifies) localStorage.setItem(keyOf(organizationId, userId), 'on')
  else localStorage.removeItem(keyOf(organizationId, userId))
  for (const listener of listeners) listener()
}

export const useNotifies = (organizationId: number, userId: number): boolean =>
  useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      // Another tab has saved it.
      addEventListener('storage', listener)
      return () => {
        listeners.delete(listener)
        removeEventListener('storage', listener)
      }
    },
    () => readNotifies(organizationId, userId),
  )
