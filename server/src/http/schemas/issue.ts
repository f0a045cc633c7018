import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { Component, Id, Nullable, Ordinal, PageOf, Text, Time, Word } from './fields.ts'

export const IssueParams = Type.Object({ org_id: Id, repo_id: Id, n: Ordinal })
export const IssueTitle = Text(limits.pullTitleCharactersMax)
export const IssueText = Type.String({ maxLength: limits.commentCharactersMax })
export const IssueLabels = Type.Array(Text(100), { maxItems: limits.issueLabelsMax })

const IssueBody = Component('Issue', {
  id: Id,
  organization_id: Id,
  repo_id: Id,
  number: Type.Integer({
    minimum: 1,
    description: 'Number within the repository. Issues and pull requests share one sequence.',
  }),
  url: Type.String(),
  user_id: Type.Integer({ ...Id, description: 'The user who opened the issue.' }),
  author: Nullable(Type.String({ description: 'Name of the user who opened the issue.' })),
  title: Type.String(),
  body: Type.String(),
  state: Word(['open', 'closed']),
  labels: Type.Array(Type.String()),
  assigned_to_agent: Type.Boolean(),
  created_at: Time,
  updated_at: Time,
})

const IssueCommentBody = Component('IssueComment', { id: Id, user_id: Id, body: Type.String(), created_at: Time })

export const issueComponents = [IssueBody, PageOf(IssueBody), IssueCommentBody, PageOf(IssueCommentBody)]
