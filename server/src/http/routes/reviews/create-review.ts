import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { attribute } from '#base/text/attribute.ts'
import { getPull } from '#domain/hosts/pulls/get-pull.ts'
import { comparisonOf, type Pull } from '#domain/hosts/pulls/pull.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { placeComments } from '#domain/hosts/reviews/place-comments.ts'
import { asReviewComment, verdicts, type SuggestingComment, type Verdict } from '#domain/hosts/reviews/review.ts'
import { saveReview } from '#domain/hosts/reviews/save-review.ts'
import { getAuthor, type Author } from '#domain/accounts/users/get-author.ts'
import { askHost } from '#http/input/ask-host.ts'
import { presentReview } from '#http/present/present-review.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Nullable, Ordinal, Text, Word } from '#http/schemas/fields.ts'
import { CommentText, PullParams } from '#http/schemas/pull.ts'

export const createReviewRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/prs/:pr_id/reviews`,
  operationId: 'createReview',
  tag: 'Pull requests',
  summary: 'Review a pull request',
  description:
    "On an external host, the review is posted by the account that Runwright is connected with, and its first line names the author. For this reason, it can't approve there.",
  policy: 'standard',
  access: 'edit_pulls',
  params: PullParams,
  body: Type.Object({
    verdict: Type.Optional(Nullable(Word(verdicts, { description: 'Default: `comment`.' }))),
    body: CommentText,
    comments: Type.Optional(
      Nullable(
        Type.Array(
          Type.Object({
            path: Text(4_096),
            start_line: Type.Optional(
              Nullable(Type.Integer({ ...Ordinal, description: 'The first line, if it is about several.' })),
            ),
            line: Ordinal,
            side: Type.Optional(Nullable(Word(['base', 'head']))),
            body: CommentText,
            suggestion: Type.Optional(
              Nullable(
                Type.String({
                  maxLength: limits.commentCharactersMax,
                  description:
                    'What should stand in place of the lines. People can apply it with a click on hosts that have that.',
                }),
              ),
            ),
          }),
          {
            maxItems: limits.reviewCommentsMax,
            description: 'Comments on lines shown in the diff. Other comments are added to the body.',
          },
        ),
      ),
    ),
  }),
  success: { status: 201, description: 'The review.', component: 'PullRequestReview' },
  errors: ['pull_not_found', 'branch_not_found', 'conflict'],
  handle: async ({ app, db, params, body, caller }) => {
    const { org_id: organizationId, pr_id: pullId } = params
    const pull = await getPull(db, { organizationId, pullId })
    const verdict = body.verdict ?? 'comment'
    refuseApproval(pull, verdict)
    const repo = await getRepo(db, pull)
    const compare = { ...comparisonOf(pull), bytesMax: limits.diffBytesMax }
    const comments = (body.comments ?? []).map(asComment)
    const diff = comments.length ? await askHost('branch_not_found', () => app.hosts.git(repo).diff(repo, compare)) : ''
    const written = { verdict, ...placeComments({ body: body.body, comments, diff }), marker: `review:${randomUUID()}` }
    const by = { userId: caller.userId, runId: null }
    const attributed = pull.url === null ? written : saidBy(await getAuthor(db, caller), written)
    const { url } = await askHost('branch_not_found', () =>
      app.hosts.forge(repo).createReview(repo, pull.number, { ...attributed, commit: pull.headCommit, by }),
    )
    const headCommit = pull.headCommit
    const kept = {
      organizationId,
      pullId,
      ...by,
      ...written,
      comments: written.comments.map(asReviewComment),
      headCommit,
    }
    const review = await saveReview(db, { ...kept, url: pull.url && url, publicUrl: app.publicUrl })
    return presentReview(review, app.publicUrl)
  },
})

type Line = {
  path: string
  start_line?: number | null
  line: number
  side?: 'base' | 'head' | null
  body: string
  suggestion?: string | null
}

/** What is suggested for the old side of a diff could replace nothing, so it is told in words. */
function asComment({ path, start_line: startLine, line, side, body, suggestion }: Line): SuggestingComment {
  const comment = {
    path,
    line,
    side: side ?? ('head' as const),
    body,
    ...(startLine != null && { startLine }),
    ...(suggestion != null && { suggestion }),
  }
  return side === 'base' ? asReviewComment(comment) : comment
}

type Written = { body: string; comments: SuggestingComment[] }

/** Each of its comments is read by itself, too. */
function saidBy<Review extends Written>({ login }: Author, review: Review): Review {
  const comments = review.comments.map((comment) => ({ ...comment, body: attribute(login, comment.body) }))
  return { ...review, body: attribute(login, review.body), comments }
}

function refuseApproval({ url }: Pull, verdict: Verdict): void {
  if (url === null || verdict !== 'approve') return
  throw new AppError('conflict', {
    message: `Approve it on its host under your own name: ${url}`,
  })
}
