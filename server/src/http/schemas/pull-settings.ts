import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { branchUpdates, greenMerges } from '#domain/repos/pull-settings.ts'
import { Component, Text, Word } from './fields.ts'

const fields = {
  draft_until_green: Type.Boolean({
    description: 'Pull requests are opened as drafts, and marked as ready for review once their checks pass.',
  }),
  update_branch: Word(branchUpdates, {
    description:
      'How the agent updates its branch when it conflicts with the base branch, or must contain it to be merged: by a merge, by a rebase, or not at all.',
  }),
  merge_when_green: Word(greenMerges, {
    description:
      'How a pull request is merged once its run is completed, its checks pass, and the code host allows it. `off`: a person merges it.',
  }),
  delete_branch: Type.Boolean({ description: 'The branch is deleted after the merge, if nothing else needs it.' }),
  labels: Type.Array(Text(limits.pullLabelCharactersMax), {
    maxItems: limits.pullLabelsMax,
    description: 'Labels that each pull request gets.',
  }),
  sign_commits: Type.Boolean({
    description:
      'The commits of runs are made through the API of the code host, which signs them. GitHub does so for an App; commits of a token stay unsigned.',
  }),
  branch_pattern: Type.String({
    maxLength: limits.branchPatternCharactersMax,
    description:
      'The names of the branches of new runs. `{run}` is the id of the run and required; `{title}` is made of words of its title. Runs that have a branch keep it.',
  }),
}

export const PullSettingsBody = Component('PullRequestSettings', fields, {
  description: 'How agents go about the pull requests that they open in a repository.',
})

/** What is left out stays as it is. */
export const PullSettingsChanges = Type.Partial(Type.Object(fields))
