import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { pullAgentPhases } from '#domain/pull-agents/pull-agent.ts'
import { Id, Nullable, Ordinal, PageOf, Time, Word } from './fields.ts'

export const PullParams = Type.Object({ org_id: Id, pr_id: Id })
export const CommentText = Type.String({ maxLength: limits.commentCharactersMax, pattern: '\\S' })

const Commit = Type.String({ description: 'A full commit id.' })

const PullRequestBody = Type.Object(
  {
    id: Id,
    organization_id: Id,
    repo_id: Id,
    run_id: Nullable(Type.Integer({ ...Id, description: 'The run that opened it.' })),
    number: Type.Integer({ minimum: 1, description: 'Counted in each repository.' }),
    url: Type.String(),
    title: Type.String(),
    body: Type.String(),
    state: Word(['open', 'closed']),
    draft: Type.Boolean(),
    merged: Type.Boolean(),
    head_branch_name: Type.String(),
    base_branch_name: Type.String(),
    head_commit: Commit,
    merge_commit: Nullable(Type.String({ description: 'Where its merge has brought the base branch.' })),
    merged_by: Nullable(Id),
    merged_at: Nullable(Time),
    agent: Nullable(
      Type.Object(
        {
          phase: Word([...pullAgentPhases, 'banned', 'removed']),
          attempts: Type.Integer({ minimum: 0, description: 'Turns that it has begun to mend checks.' }),
          reason: Nullable(Type.String({ description: 'Why it does no more, for people.' })),
        },
        { description: 'How the run that looks after it stands; null where none does.' },
      ),
    ),
    created_at: Time,
    updated_at: Time,
  },
  { $id: 'PullRequest', title: 'PullRequest' },
)

const PullUpdate = Type.Object(
  {
    success: Type.Boolean(),
    url: Type.String(),
    number: Type.Integer({ minimum: 1 }),
    title: Type.String(),
    state: Word(['open', 'closed', 'draft']),
    error: Nullable(Type.String()),
  },
  { $id: 'PullRequestUpdate', title: 'PullRequestUpdate' },
)

const PullFileBody = Type.Object(
  {
    path: Type.String(),
    previous_path: Nullable(Type.String({ description: 'Of a renamed file.' })),
    status: Word(['added', 'modified', 'removed', 'renamed']),
    additions: Nullable(Type.Integer({ minimum: 0, description: 'Lines; null where it is no text.' })),
    deletions: Nullable(Type.Integer({ minimum: 0 })),
  },
  { $id: 'PullRequestFile', title: 'PullRequestFile' },
)

const PullCommentBody = Type.Object(
  {
    id: Nullable(Type.Integer({ ...Id, description: 'Null on another host, where its `url` tells it from others.' })),
    pr_id: Id,
    user_id: Nullable(Type.Integer({ ...Id, description: 'Null on another host: there its `author` wrote it.' })),
    author: Nullable(
      Type.Object(
        { login: Type.String(), is_bot: Type.Boolean() },
        { description: 'Who wrote it on another host; null where nobody knows any more.' },
      ),
    ),
    url: Nullable(Type.String({ description: 'Where people read it on another host.' })),
    body: Type.String(),
    path: Nullable(Type.String({ description: 'Null for a comment on the whole.' })),
    line: Nullable(Ordinal),
    side: Nullable(Word(['base', 'head'])),
    head_commit: Nullable(
      Type.String({
        description:
          'What its writer saw: another one than the head of now may have other lines. Null where another host does not say.',
      }),
    ),
    created_at: Time,
  },
  { $id: 'PullRequestComment', title: 'PullRequestComment' },
)

export const pullComponents = [
  PullRequestBody,
  PageOf('PullRequest'),
  PullUpdate,
  PullFileBody,
  PageOf('PullRequestFile'),
  PullCommentBody,
  PageOf('PullRequestComment'),
]
