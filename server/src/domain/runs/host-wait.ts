/** Why a run waits for its code host, and how long it has. Times are RFC 3339. */
export type HostWait = {
  /** What it waits for: to begin on its repository, or to deliver its finished work. */
  for: 'begin' | 'deliver'
  /** In the words of the host's adapter, such as `unavailable`. */
  code: string
  message: string
  /** How often it was tried in vain. */
  tries: number
  since: string
  /** Null: it is not tried again until somebody asks for it. */
  nextTryAt: string | null
}

/** How a run stands that waits for its code host: queued while it is tried again, paused once that has been long enough. */
export const waitingForHost = 'waiting_for_host'
