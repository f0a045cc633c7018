import type { Engine } from '#adapters/engines/engine.ts'
import { defaultRepairLimits, type RepairLimits } from './repair-limits.ts'

/** The engine that needs no model: it looks for one small change that makes the failing tests pass. */
export function openRepair(options: Partial<RepairLimits> = {}): Engine {
  const limits = { ...defaultRepairLimits, ...options }
  return {
    name: 'repair',
    redoesSteps: true,
    availability: () => ({ available: true, reason: null }),
    // Loaded by the first turn, as many processes never run one.
    run: async (turn) => (await import('./run-repair.ts')).runRepair(turn, limits),
  }
}
