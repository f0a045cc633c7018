import type { Static } from 'typebox'
import type { PullSettings } from '#domain/repos/pull-settings.ts'
import type { PullSettingsChanges } from '#http/schemas/pull-settings.ts'

/** Only what is in the body. */
export function readPullSettings(body: Static<typeof PullSettingsChanges>): Partial<PullSettings> {
  const read = {
    draftUntilGreen: body.draft_until_green,
    updateBranch: body.update_branch,
    mergeWhenGreen: body.merge_when_green,
    deleteBranch: body.delete_branch,
    labels: body.labels && [...new Set(body.labels.map((label) => label.trim()))],
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}
