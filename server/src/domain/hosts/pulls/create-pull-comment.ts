import { AppError } from '#base/errors.ts'
import { one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { recordComment } from '#domain/hosts/events/record-comment.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import type { Repo } from '#domain/repos/repo.ts'
import type { StoredRepository } from '#domain/repos/repos/repository-admin.ts'
import { getPull } from './get-pull.ts'
import { commentOnHost, type CommentForge, type LinePlace } from './comments-of-host.ts'
import { replyInThread } from './reply-in-thread.ts'
import { pullCommentColumns, type PullComment } from './pull-comment.ts'
import { comparisonOf, pullUrl, type Pull } from './pull.ts'

type ChangedFile = { path: string; previousPath: string | null }
export type CommentHosts = {
  git(repo: StoredRepository): {
    listChangedFiles(repo: StoredRepository, compare: { base: string | null; head: string }): Promise<ChangedFile[]>
  }
  forge(repo: StoredRepository): CommentForge
}

export type CreatePullComment = {
  organizationId: number
  pullId: number
  hosts: CommentHosts
  userId: number
  body: string
  /** Null: it is about the whole. */
  place: LinePlace | null
  /** A comment on a line, in whose thread it stands: there it is about that line. */
  replyTo?: number | null
  /** Where people reach the service. */
  publicUrl: string
}

/**
 * Another host keeps its own, of which none has an id here. Throws `pull_not_found`, `comment_not_found`, `invalid_request` for a file that
 * the pull request does not change.
 */
export async function createPullComment(db: Db, request: CreatePullComment): Promise<PullComment> {
  const { organizationId, pullId, hosts, userId, body, place, replyTo = null, publicUrl } = request
  const pull = await getPull(db, { organizationId, pullId })
  const repo = await getRepo(db, pull)
  if (replyTo !== null) return replyInThread(db, { pull, commentId: replyTo, userId, body, marker: null, publicUrl })
  if (place) await requireChanged(pull, { repo, hosts, place })
  if (repo.host !== 'local') return commentOnHost(db, { repo, pull, forge: hosts.forge(repo), userId, body, place })
  return inTransaction(db, async (tx) => {
    const comment = await one<PullComment & { id: number; userId: number }>(
      tx,
      `insert into pull_comments (organization_id, pull_id, user_id, body, path, line, side, head_commit)
     values ($1, $2, $3, $4, $5, $6, $7, $8) returning ${pullCommentColumns}`,
      [organizationId, pullId, userId, body, place?.path, place?.line, place?.side, pull.headCommit],
    )
    const { repoId, number } = pull
    const on = { kind: 'pull', number } as const
    await recordComment(tx, { organizationId, repoId, on, comment, url: pullUrl(publicUrl, pull) })
    return comment
  })
}

type RequireChanged = Pick<CreatePullComment, 'hosts'> & { repo: Repo; place: LinePlace }

async function requireChanged(pull: Pull, { repo, hosts, place }: RequireChanged): Promise<void> {
  const files = await hosts.git(repo).listChangedFiles(repo, comparisonOf(pull))
  const isChanged = files.some(({ path, previousPath }) =>
    place.side === 'head' ? path === place.path : (previousPath ?? path) === place.path,
  )
  if (isChanged) return
  const fault = { loc: ['body', 'path'], msg: 'names no file that the pull request changes', type: 'value' }
  throw new AppError('invalid_request', { message: `body.path ${fault.msg}.`, detail: [fault] })
}
