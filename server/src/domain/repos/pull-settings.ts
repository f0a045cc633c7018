/** How agents go about the pull requests that they open in a repository. */
export type PullSettings = {
  /** They are opened as drafts, and made ready for review once their checks are green. */
  draftUntilGreen: boolean
  /** That each gets, on hosts where pull requests have labels. */
  labels: string[]
}

export const defaultPullSettings: PullSettings = {
  draftUntilGreen: false,
  labels: [],
}

/** A row holds only what somebody has set. */
export const pullSettingsOf = ({ pullSettings }: { pullSettings: Partial<PullSettings> }): PullSettings => ({
  ...defaultPullSettings,
  ...pullSettings,
})
