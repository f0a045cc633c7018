import type { AgentRun } from '@runwright/sdk'

/** What a run is called: its title, or how its prompt begins. */
export function titleOf({ title, prompt }: Pick<AgentRun, 'title' | 'prompt'>): string {
  return title ?? prompt.trim().split('\n', 1)[0]!.slice(0, 200)
}

export function RunTitle({ run }: { run: Pick<AgentRun, 'title' | 'prompt'> }): string {
  return titleOf(run)
}
