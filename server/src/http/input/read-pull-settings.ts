import type { Static } from 'typebox'
import { AppError } from '#base/errors.ts'
import { whyNotBranchPattern } from '#domain/repos/branch-pattern.ts'
import type { PullSettings } from '#domain/repos/pull-settings.ts'
import type { PullSettingsChanges } from '#http/schemas/pull-settings.ts'

/** Only what is in the body. Throws `invalid_request`. */
export function readPullSettings(body: Static<typeof PullSettingsChanges>): Partial<PullSettings> {
  if (body.branch_pattern !== undefined) checkBranchPattern(body.branch_pattern)
  const read = {
    draftUntilGreen: body.draft_until_green,
    updateBranch: body.update_branch,
    mergeWhenGreen: body.merge_when_green,
    deleteBranch: body.delete_branch,
    labels: body.labels && [...new Set(body.labels.map((label) => label.trim()))],
    branchPattern: body.branch_pattern,
    signCommits: body.sign_commits,
  }
  return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== undefined))
}

function checkBranchPattern(pattern: string): void {
  const msg = whyNotBranchPattern(pattern)
  if (msg === null) return
  const detail = [{ loc: ['body', 'pull_settings', 'branch_pattern'], msg, type: 'value' }]
  throw new AppError('invalid_request', { message: `body.pull_settings.branch_pattern ${msg}.`, detail })
}
