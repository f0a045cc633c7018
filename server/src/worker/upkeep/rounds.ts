import type { Chores } from '#base/telemetry/chores.ts'

/** So long is a chore left out that has found nothing to do. */
export const restMs = 60_000

/** Answers how much it has found to do. */
export type Chore = () => Promise<number>

/**
 * Does chores in rounds. One that finds nothing to do rests for a minute, so that an idle service asks little; one that fails, or may have left
 * something, is done again in the next round. A chore that fails keeps no other from being done. Never rejects.
 */
export function openRounds(
  { telemetry: { chores: all } }: { telemetry: { chores: Chores } },
  { nowMs = () => performance.now() }: { nowMs?: () => number } = {},
): (chores: Record<string, Chore>) => Promise<void> {
  const restsUntil = new Map<string, number>()
  return async (chores) => {
    for (const [name, chore] of Object.entries(chores)) {
      if (nowMs() < (restsUntil.get(name) ?? 0)) continue
      const found = await all.do(name, chore)
      if (found === 0) restsUntil.set(name, nowMs() + restMs)
    }
  }
}
