import { setTimeout as sleep } from 'node:timers/promises'

const [msMin, msMax] = [10, 120]

/** How long a test waits for what comes soon. It ends a wait in vain, and measures nothing: others may keep the machine busy. */
export const waitMsMax = 240_000

/**
 * What passes between two looks at something that takes its time: the longer it takes, the longer. A look at a run costs 7 ms of the
 * processor time of three processes, which what is waited for needs itself.
 */
export class Pauses {
  #ms = msMin

  async next(): Promise<void> {
    await sleep(this.#ms)
    this.#ms = Math.min(this.#ms * 1.3, msMax)
  }
}
