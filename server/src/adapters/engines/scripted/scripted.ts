import type { Engine } from '#adapters/engines/engine.ts'

/**
 * An engine that plays what `metadata.script` says: for tests and demonstrations of everything around an agent. The
 * script is a JSON array of steps:
 *
 * - `{"shell": "npm test"}`: a command; the turn goes on whatever its exit code
 * - `{"write": {"path": "a.txt", "content": "…"}}`, `{"read": "a.txt"}`
 * - `{"plan": ["look", "fix"]}`, `{"think": "…"}`: a PLAN_EVALUATION entry
 * - `{"type": {"thought": "…", "piece_ms": 50}}`: the same, written word by word as a model writes; with `answer` in place of
 *   `thought`, and perhaps `title` and `body`, it ends the turn
 * - `{"sleep_ms": 500}`
 * - `{"error": "…"}`: an ERROR entry, and on
 * - `{"fail": {"code": "model_error", "message": "…"}}`: the turn fails
 * - `{"answer": "…", "title": "…", "body": "…"}`: the turn ends well; the last two are for the pull request
 *
 * Each may have `"repeat": 3`; `{n}` in its texts is then 1, 2, 3. A script without an answer ends with one of ours.
 * Each turn plays the script anew; with `metadata.scripts`, an array of scripts, each its own and the last one again.
 */
export function openScripted({ enabled }: { enabled: boolean }): Engine {
  return {
    name: 'scripted',
    redoesSteps: true,
    needsSandbox: async (turn) => {
      const { readScript } = await import('./read-script.ts')
      return readScript(turn).some((step) => 'shell' in step || 'write' in step || 'read' in step)
    },
    availability: () => ({ available: enabled, reason: enabled ? null : 'set RUNWRIGHT_SCRIPTED=1' }),
    run: async (turn) => (await import('./play-script.ts')).playScript(turn),
  }
}
