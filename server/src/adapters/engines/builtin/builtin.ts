import type { Engine } from '#adapters/engines/engine.ts'
import type { ModelOptions } from './model-options.ts'
import { systemClockAndChance, type ClockAndChance } from './clock-and-chance.ts'
import { whyNoModel } from './why-no-model.ts'

/** The built-in agent: a language model with a handful of tools. */
export function openBuiltin(options: ModelOptions, outside: ClockAndChance = systemClockAndChance): Engine {
  // The library prints its warnings; whatever matters of them reaches the log as errors of calls.
  globalThis.AI_SDK_LOG_WARNINGS = false
  return {
    name: 'builtin',
    usesMcp: true,
    availability(hasOwnModels = false) {
      const reason = hasOwnModels ? null : whyNoModel(options)
      return { available: reason === null, reason }
    },
    async run(turn) {
      // The libraries of the model providers are loaded by the first turn: they take a process long, and many never need them.
      const { runTurn } = await import('./run-turn.ts')
      return runTurn(turn, { options, outside })
    },
  }
}
