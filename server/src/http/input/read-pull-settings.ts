import type { Static } from 'typebox'
import type { PullSettings } from '#domain/repos/pull-settings.ts'
import type { PullSettingsChanges } from '#http/schemas/pull-settings.ts'

/** Only what is in the body. */
export function readPullSettings(body: Static<typeof PullSettingsChanges>): Partial<PullSettings> {
  const { draft_until_green: draftUntilGreen, labels } = body
  return {
    ...(draftUntilGreen !== undefined && { draftUntilGreen }),
    ...(labels && { labels: [...new Set(labels.map((label) => label.trim()))] }),
  }
}
