import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { Component, Text } from './fields.ts'

const fields = {
  draft_until_green: Type.Boolean({
    description: 'Pull requests are opened as drafts, and marked as ready for review once their checks pass.',
  }),
  labels: Type.Array(Text(limits.pullLabelCharactersMax), {
    maxItems: limits.pullLabelsMax,
    description: 'Labels that each pull request gets on GitHub. The built-in host has none for pull requests.',
  }),
}

export const PullSettingsBody = Component('PullRequestSettings', fields, {
  description: 'How agents go about the pull requests that they open in a repository.',
})

/** What is left out stays as it is. */
export const PullSettingsChanges = Type.Partial(Type.Object(fields))
