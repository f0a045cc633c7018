import type { PullSettings } from '#domain/repos/pull-settings.ts'
import type { Components } from '#http/schemas/index.ts'

export function presentPullSettings(settings: PullSettings): Components['PullRequestSettings'] {
  return {
    draft_until_green: settings.draftUntilGreen,
    update_branch: settings.updateBranch,
    merge_when_green: settings.mergeWhenGreen,
    delete_branch: settings.deleteBranch,
    labels: settings.labels,
    branch_pattern: settings.branchPattern,
    sign_commits: settings.signCommits,
  }
}
