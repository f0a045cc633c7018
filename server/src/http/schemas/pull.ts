import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { reviewerStates } from '#domain/hosts/pulls/reviewer.ts'
import { fixerPhases } from '#domain/hosts/fixer.ts'
import { Component, Id, Nullable, Ordinal, PageOf, Time, Word } from './fields.ts'

export const PullParams = Type.Object({ org_id: Id, pr_id: Id })
export const PullCommentParams = Type.Object({ org_id: Id, pr_id: Id, comment_id: Id })
export const ReviewerParams = Type.Object({ org_id: Id, pr_id: Id, user_id: Id })
export const CommentText = Type.String({ maxLength: limits.commentCharactersMax, pattern: '\\S' })

const Commit = Type.String({ description: 'A full commit SHA.' })

const Reviewer = Type.Object({
  user_id: Id,
  reason: Word(['code_owner', 'asked'], { description: '`code_owner`: CODEOWNERS of the base branch names them.' }),
  pattern: Nullable(Type.String({ description: 'The pattern of CODEOWNERS by which they own what is changed.' })),
  requested_by: Nullable(
    Type.Integer({ ...Id, description: 'Who asked them last. Null for code owners whom nobody asked again.' }),
  ),
  requested_at: Time,
  state: Word(reviewerStates, { description: 'What they have said since they were asked.' }),
})
const CodeOwners = Type.Object(
  {
    path: Type.String({ description: 'The file that counts.' }),
    not_found: Type.Array(Type.String(), {
      description: 'Owners of changed files who are not one person of this organization.',
    }),
    problems: Type.Array(Type.String(), { description: 'What in the file does not count, and why.' }),
  },
  {
    description:
      'What CODEOWNERS of the base branch says. Null without such a file, for drafts, and on an external host.',
  },
)

const PullRequestBody = Component('PullRequest', {
  id: Id,
  organization_id: Id,
  repo_id: Id,
  run_id: Nullable(Type.Integer({ ...Id, description: 'The run that opened the pull request.' })),
  number: Type.Integer({ minimum: 1, description: 'Number within the repository.' }),
  url: Type.String(),
  title: Type.String(),
  body: Type.String(),
  state: Word(['open', 'closed']),
  draft: Type.Boolean(),
  merged: Type.Boolean(),
  labels: Type.Array(Type.String(), { description: 'Empty on an external host.' }),
  reviewers: Type.Array(Reviewer, { description: 'Empty on an external host, which asks its own.' }),
  code_owners: Nullable(CodeOwners),
  head_branch_name: Type.String(),
  base_branch_name: Type.String(),
  head_commit: Commit,
  merge_commit: Nullable(Type.String({ description: 'The head commit of the base branch after the merge.' })),
  merged_by: Nullable(Id),
  merged_at: Nullable(Time),
  reverts: Nullable(Type.Integer({ ...Id, description: 'The pull request that this one reverts.' })),
  revert: Nullable(
    Type.Object(
      { id: Id, number: Type.Integer({ minimum: 1 }), state: Word(['open', 'closed']), merged: Type.Boolean() },
      { description: 'The pull request that reverts this one, open or merged.' },
    ),
  ),
  branch_deleted_at: Nullable(
    Type.String({
      format: 'date-time',
      description: 'When the branch was deleted through Runwright after the merge.',
    }),
  ),
  branch_deleted_by: Nullable(Id),
  agent: Nullable(
    Type.Object(
      {
        phase: Word([...fixerPhases, 'banned', 'removed']),
        attempts: Type.Integer({ minimum: 0, description: 'Number of turns started to fix checks.' }),
        reason: Nullable(Type.String({ description: 'Human-readable reason why the agent stopped fixing checks.' })),
      },
      { description: 'State of the run that maintains the pull request. Null if no run does.' },
    ),
  ),
  created_at: Time,
  updated_at: Time,
})

const PullUpdate = Component('PullRequestUpdate', {
  success: Type.Boolean(),
  url: Type.String(),
  number: Type.Integer({ minimum: 1 }),
  title: Type.String(),
  state: Word(['open', 'closed', 'draft']),
  error: Nullable(Type.String()),
})

const PullFileBody = Component('PullRequestFile', {
  path: Type.String(),
  previous_path: Nullable(Type.String({ description: 'Previous path of a renamed file.' })),
  status: Word(['added', 'modified', 'removed', 'renamed']),
  additions: Nullable(
    Type.Integer({ minimum: 0, description: 'Number of added lines. Null if the file is not text.' }),
  ),
  deletions: Nullable(Type.Integer({ minimum: 0 })),
})

const PullFileLines = Component('PullRequestFileLines', {
  path: Type.String(),
  side: Word(['base', 'head']),
  commit: Type.String({ description: 'The commit that the file was read from.' }),
  kind: Word(['text', 'binary', 'redacted'], {
    description: '`binary` files have no lines. `redacted`: redaction would change the line numbers.',
  }),
  from: Type.Integer({ minimum: 1, description: 'Line number of the first line.' }),
  lines: Type.Array(Type.String(), { description: 'Empty beyond the end of the file.' }),
  total_lines: Nullable(Type.Integer({ minimum: 0, description: 'Null if the file has no lines to show.' })),
})

const PullCommentBody = Component('PullRequestComment', {
  id: Nullable(Type.Integer({ ...Id, description: 'Null on an external host. Its `url` identifies it there.' })),
  pr_id: Id,
  user_id: Nullable(Type.Integer({ ...Id, description: 'Null on an external host; see `author`.' })),
  author: Nullable(
    Type.Object(
      { login: Type.String(), is_bot: Type.Boolean() },
      { description: 'Who wrote the comment on an external host. Null if that is no longer known.' },
    ),
  ),
  url: Nullable(Type.String({ description: 'URL on the external host.' })),
  body: Type.String(),
  path: Nullable(Type.String({ description: 'Null for a comment on the pull request as a whole.' })),
  line: Nullable(Ordinal),
  side: Nullable(Word(['base', 'head'])),
  head_commit: Nullable(
    Type.String({
      description:
        'The commit that the author saw. If it is not the current head, line numbers may differ. Null if an external host does not report it.',
    }),
  ),
  review_id: Nullable(Type.Integer({ ...Id, description: 'The review that the comment is part of.' })),
  thread_id: Nullable(
    Type.Integer({
      ...Id,
      description: 'The comment that began the thread. Null for a comment on no line, and on an external host.',
    }),
  ),
  in_reply_to: Nullable(Type.Integer({ ...Id, description: 'Null for the comment that began the thread.' })),
  resolved: Type.Boolean({ description: 'Whether the thread is resolved.' }),
  resolved_by: Nullable(Id),
  resolved_at: Nullable(Time),
  created_at: Time,
})

export const pullComponents = [
  PullRequestBody,
  PageOf(PullRequestBody),
  PullUpdate,
  PullFileBody,
  PageOf(PullFileBody),
  PullFileLines,
  PullCommentBody,
  PageOf(PullCommentBody),
]
