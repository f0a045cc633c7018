import { setTimeout as sleep } from 'node:timers/promises'

/** Waits for so long, or until the signal is aborted, of which it leaves no listener behind. Keeps no process alive. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return sleep(ms, undefined, { ref: false, signal }).catch(() => {})
}
