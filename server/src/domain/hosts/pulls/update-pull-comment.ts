import { AppError } from '#base/errors.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { getPull } from './get-pull.ts'
import { pullCommentColumns, type PullComment } from './pull-comment.ts'
import { resolveThreads } from './resolve-threads.ts'

export type UpdatePullComment = {
  organizationId: number
  pullId: number
  commentId: number
  userId: number
  isResolved: boolean
}

/** Settles the thread that a comment of the built-in host stands in, or opens it again. Throws `pull_not_found`, `comment_not_found`. */
export async function updatePullComment(db: Db, request: UpdatePullComment): Promise<PullComment> {
  const { organizationId, pullId, commentId } = request
  return inTransaction(db, async (tx) => {
    await getPull(tx, { organizationId, pullId })
    await resolveThreads(tx, { ...request, commentIds: [commentId] })
    const comment = await maybeOne<PullComment>(
      tx,
      `select ${pullCommentColumns} from pull_comments where organization_id = $1 and pull_id = $2 and id = $3 and path is not null`,
      [organizationId, pullId, commentId],
    )
    if (!comment) throw new AppError('comment_not_found')
    return comment
  })
}
