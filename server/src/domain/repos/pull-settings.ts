import { defaultBranchPattern } from './branch-pattern.ts'

/** How agents go about the pull requests that they open in a repository. */
export type PullSettings = {
  /** They are opened as drafts, and made ready for review once their checks are green. */
  draftUntilGreen: boolean
  /** How a branch is brought up to date that conflicts with its base, or that its host takes only when it holds all of the base. */
  updateBranch: (typeof branchUpdates)[number]
  /** Whether they merge what is ready, and how. */
  mergeWhenGreen: (typeof greenMerges)[number]
  /** Whether the branch goes once it is merged. */
  deleteBranch: boolean
  /** That each gets, on hosts where pull requests have labels. */
  labels: string[]
  /** Of the branches of new runs, with `{run}` and `{title}`. */
  branchPattern: string
  /** Whether the code host signs their commits, where it can. */
  signCommits: boolean
}
export const branchUpdates = ['off', 'merge', 'rebase'] as const
export const greenMerges = ['off', 'merge', 'squash', 'rebase'] as const

export const defaultPullSettings: PullSettings = {
  draftUntilGreen: false,
  updateBranch: 'merge',
  mergeWhenGreen: 'off',
  deleteBranch: false,
  labels: [],
  branchPattern: defaultBranchPattern,
  signCommits: false,
}

/** A row holds only what somebody has set. */
export const pullSettingsOf = ({ pullSettings }: { pullSettings: Partial<PullSettings> }): PullSettings => ({
  ...defaultPullSettings,
  ...pullSettings,
})
