import type { PullSettings } from '#domain/repos/pull-settings.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentPullSettings({ draftUntilGreen, labels }: PullSettings): Components['PullRequestSettings'] {
  return { draft_until_green: draftUntilGreen, labels }
}
