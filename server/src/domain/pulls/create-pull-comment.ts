import { AppError } from '#base/errors.ts'
import { one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { recordComment } from '#domain/host-comments/record-comment.ts'
import { getRepo } from '#domain/repos/get-repo.ts'
import { getPull } from './get-pull.ts'
import type { MergeStore } from './merge-store.ts'
import { pullCommentColumns, type PullComment } from './pull-comment.ts'
import { comparisonOf, pullUrl, type Pull } from './pull.ts'

export type CreatePullComment = {
  organizationId: number
  pullId: number
  store: Pick<MergeStore, 'listChangedFiles'>
  userId: number
  body: string
  /** Null: it is about the whole. */
  place: { path: string; line: number; side: 'base' | 'head' } | null
  /** Where people reach the service. */
  publicUrl: string
}

/** Throws `pull_not_found`, `conflict` on another host, `invalid_request` for a file that the pull request does not change. */
export async function createPullComment(db: Db, wanted: CreatePullComment): Promise<PullComment> {
  const { organizationId, pullId, store, userId, body, place, publicUrl } = wanted
  const pull = await getPull(db, { organizationId, pullId })
  if (pull.url !== null)
    throw new AppError('conflict', { message: `Say it where people read it, under your own name: ${pull.url}` })
  if (place) await requireChanged(db, pull, { store, place })
  return inTransaction(db, async (tx) => {
    const comment = await one<PullComment>(
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

type RequireChanged = Pick<CreatePullComment, 'store'> & { place: NonNullable<CreatePullComment['place']> }

async function requireChanged(db: Db, pull: Pull, { store, place }: RequireChanged): Promise<void> {
  const files = await store.listChangedFiles(await getRepo(db, pull), comparisonOf(pull))
  const isChanged = files.some(({ path, previousPath }) =>
    place.side === 'head' ? path === place.path : (previousPath ?? path) === place.path,
  )
  if (isChanged) return
  const fault = { loc: ['body', 'path'], msg: 'names no file that the pull request changes', type: 'value' }
  throw new AppError('invalid_request', { message: `body.path ${fault.msg}.`, detail: [fault] })
}
