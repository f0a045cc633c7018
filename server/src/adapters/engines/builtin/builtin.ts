import type { Engine } from '#adapters/engines/engine.ts'
import { whyNoModel } from './choose-model.ts'
import type { ModelOptions } from './model-options.ts'
import { systemClockAndChance, type ClockAndChance } from './clock-and-chance.ts'
import { runTurn } from './run-turn.ts'

/** The built-in agent: a language model with a handful of tools. */
export function openBuiltin(options: ModelOptions, outside: ClockAndChance = systemClockAndChance): Engine {
  // The library prints its warnings; whatever matters of them reaches the log as errors of calls.
  globalThis.AI_SDK_LOG_WARNINGS = false
  return {
    name: 'builtin',
    availability() {
      const reason = whyNoModel(options)
      return { available: reason === null, reason }
    },
    run: (turn) => runTurn(turn, { options, outside }),
  }
}
