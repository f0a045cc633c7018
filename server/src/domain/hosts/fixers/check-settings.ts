/** How agents fix checks that fail in a repository. Checks are named by their own name or by that of the app that runs them. */
export type CheckSettings = {
  /** How often one check is fixed, for each pull request; 0: never. */
  retryCount: number
  /** The same for single checks. */
  retryCounts: Record<string, number>
  /** As if they were not there. */
  ignoredChecks: string[]
  /** What the agent is told besides, where it fixes them. */
  customPrompts: Record<string, string>
  /** Where one of these fails, nobody waits for the other checks. */
  highPriorityApps: string[]
  /** How long a commit's checks may take to turn up. */
  settleSeconds: number
}

export const defaultCheckSettings: CheckSettings = {
  retryCount: 3,
  retryCounts: {},
  ignoredChecks: [],
  customPrompts: {},
  highPriorityApps: [],
  settleSeconds: 30,
}

/** What is said of one check by its name, else of all of its app. */
export function ofCheck<T>(words: Record<string, T>, { name, app }: { name: string; app: string }): T | undefined {
  for (const word of [name, app]) if (Object.hasOwn(words, word)) return words[word]
  return undefined
}
