import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { createPullComment } from '#domain/hosts/pulls/create-pull-comment.ts'
import { askHost } from '#http/input/ask-host.ts'
import { presentPullComment } from '#http/present/present-pull.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, Nullable, Ordinal, Text, Word } from '#http/schemas/fields.ts'
import { CommentText, PullParams } from '#http/schemas/pull.ts'

export const createPullCommentRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/prs/:pr_id/comments`,
  operationId: 'createPullComment',
  tag: 'Pull requests',
  summary: 'Comment on a pull request or one of its lines',
  description:
    'On an external host, the comment is posted by the account that Runwright is connected with, and its first line names the author. Mention the agent to address it.',
  policy: 'standard',
  access: 'edit_pulls',
  params: PullParams,
  body: Type.Object({
    body: CommentText,
    path: Type.Optional(
      Nullable(Text(4_096, { description: 'A file that the pull request changes. Requires `line`.' })),
    ),
    line: Type.Optional(Nullable(Ordinal)),
    side: Type.Optional(
      Nullable(
        Word(['base', 'head'], {
          description: 'The old (`base`) or new (`head`) version of the file. Default: `head`.',
        }),
      ),
    ),
    in_reply_to: Type.Optional(
      Nullable(
        Type.Integer({
          ...Id,
          description:
            'A comment on a line of the built-in host: the new one joins its thread. Excludes `path`, `line`, and `side`.',
        }),
      ),
    ),
  }),
  success: { status: 201, description: 'The comment.', component: 'PullRequestComment' },
  errors: ['pull_not_found', 'comment_not_found', 'conflict'],
  handle: async ({ app, db, params, body, caller }) => {
    const place = placeIn(body)
    const comment = await askHost('pull_not_found', () =>
      createPullComment(db, {
        organizationId: params.org_id,
        pullId: params.pr_id,
        hosts: app.hosts,
        userId: caller.userId,
        body: body.body,
        place,
        replyTo: body.in_reply_to ?? null,
        publicUrl: app.publicUrl,
      }),
    )
    return presentPullComment(comment)
  },
})

type Body = {
  path?: string | null
  line?: number | null
  side?: 'base' | 'head' | null
  in_reply_to?: number | null
}

function placeIn({ path, line, side, in_reply_to: replyTo = null }: Body) {
  const [hasPath, hasLine, hasSide] = [path, line, side].map((value) => value !== null && value !== undefined)
  if (replyTo !== null && (hasPath || hasLine || hasSide))
    throw refuse({
      loc: ['body', 'in_reply_to'],
      msg: 'is about the line of its thread, and takes no other',
      type: 'value',
    })
  if (hasPath && hasLine) return { path: path as string, line: line as number, side: side ?? 'head' }
  if (!hasPath && !hasLine && !hasSide) return null
  throw refuse({ loc: ['body', hasPath ? 'line' : 'path'], msg: 'is required for a line', type: 'required' })
}

const refuse = (fault: { loc: string[]; msg: string; type: string }) =>
  new AppError('invalid_request', { message: `${fault.loc.join('.')} ${fault.msg}.`, detail: [fault] })
