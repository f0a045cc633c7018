import { setTimeout as delay } from 'node:timers/promises'
import { systemClock, type Clock } from '#base/clock.ts'
import { generateSeal } from '#base/text/mark-foreign.ts'

/** Time and chance, passed in so that tests can set them. */
export type ClockAndChance = {
  clock: Clock
  /** From 0 to 1. */
  random(): number
  /** For the marks around texts from outside: see `markForeign`. */
  generateSeal(): string
  /** Rejects with the signal's reason when it is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

export const systemClockAndChance: ClockAndChance = { clock: systemClock, random: Math.random, generateSeal, sleep }

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal })
  } catch (error) {
    signal.throwIfAborted()
    throw error
  }
}
