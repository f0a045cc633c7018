import { setTimeout as sleep } from 'node:timers/promises'

/** Resolves when it is so. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(500)
}
