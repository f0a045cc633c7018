import type { Turn } from '#adapters/engines/engine.ts'
import { repeated } from './make-turn.ts'

/**
 * For engines whose steps may all be done again: a step whose changes to files were lost with its machine is done anew,
 * under a key of its own, when the engine comes to it. Its entries are marked as repeated.
 */
export function redoLostSteps(turn: Turn): Turn {
  const lost = new Set(turn.past.flatMap((item) => (item.type === 'restored' ? item.lost : [])))
  if (!lost.size) return turn
  return {
    ...turn,
    step: (intent, act, options) => {
      let { key } = intent
      while (lost.has(key)) key += '+'
      if (key === intent.key) return turn.step(intent, act, options)
      return turn.step(
        { ...intent, key },
        async (signal) => {
          const outcome = await act(signal)
          return { ...outcome, entries: outcome.entries.map(repeated) }
        },
        options,
      )
    },
  }
}
