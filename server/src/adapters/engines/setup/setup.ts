import type { Engine } from '#adapters/engines/engine.ts'

/**
 * Finds the commands that set a repository up and one that tests it: reads the repository's files and tries what they suggest in
 * a clean work tree, the likeliest first. A model, if there is one, is asked only if nothing passes or a person has added hints;
 * its answer is tried in the same way, so every proposal has passed. Commands that are given are only tried.
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
