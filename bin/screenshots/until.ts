import { setTimeout as sleep } from 'node:timers/promises'

const waitedMs = 180_000

/** Resolves when it is so; throws when it has not become so for long. */
export async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + waitedMs; !(await isSo()); await sleep(500))
    if (Date.now() > end) throw new Error(`This has not come true: ${isSo.toString()}`)
}
