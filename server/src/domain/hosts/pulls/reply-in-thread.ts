import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { recordComment } from '#domain/hosts/events/record-comment.ts'
import { pullCommentColumns, type PullComment } from './pull-comment.ts'
import { pullUrl, type Pull } from './pull.ts'

export type ReplyInThread = {
  pull: Pull
  /** Any of the thread. */
  commentId: number
  userId: number
  body: string
  /** A reply with the same one gets the new text. */
  marker: string | null
  /** Where people reach the service. */
  publicUrl: string
}

/** Says something on the built-in host in the thread of a comment on a line. Throws `comment_not_found`. */
export async function replyInThread(
  db: Db,
  { pull, commentId, userId, body, marker, publicUrl }: ReplyInThread,
): Promise<PullComment & { id: number }> {
  const { organizationId, repoId, id: pullId, number } = pull
  return inTransaction(db, async (tx) => {
    const saved = await maybeOne<PullComment & { id: number; userId: number; isNew: boolean }>(
      tx,
      `insert into pull_comments (organization_id, pull_id, user_id, body, marker, path, line, side, head_commit, reply_to)
       select organization_id, pull_id, $4, $5, $6, path, line, side, head_commit, coalesce(reply_to, id)
       from pull_comments where organization_id = $1 and pull_id = $2 and id = $3 and path is not null
       on conflict (organization_id, pull_id, marker) where marker is not null do update set body = excluded.body
       returning ${pullCommentColumns}, xmax = 0 as "isNew"`,
      [organizationId, pullId, commentId, userId, body, marker],
    )
    if (!saved) throw new AppError('comment_not_found')
    const { isNew, ...comment } = saved
    if (isNew) {
      const on = { kind: 'pull', number } as const
      await recordComment(tx, { organizationId, repoId, on, comment, url: pullUrl(publicUrl, pull) })
    }
    return comment
  })
}
