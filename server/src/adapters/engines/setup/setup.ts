import type { Engine } from '#adapters/engines/engine.ts'

/**
 * Finds the commands that set a repository up, and one that tests it: reads what its files say, and tries that from a clean
 * work tree, the likeliest first. Only where nothing passes, or where a person has said something about it, is a model asked,
 * if there is one; what it answers is tried in the same way, so what is proposed has always passed. Commands that are given
 * are only tried.
 */
export function openSetup({ builtin }: { builtin: Engine }): Engine {
  return {
    name: 'setup',
    isUnlisted: true,
    availability: () => ({ available: true, reason: null }),
    // Loaded by the first turn, as many processes never run one.
    run: async (turn) => (await import('./run-setup.ts')).runSetup(turn, builtin),
  }
}
