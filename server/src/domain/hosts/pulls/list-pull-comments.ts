import { one, rows, type Db } from '#db/pool.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import type { StoredRepository } from '#domain/repos/repos/repository-admin.ts'
import { getPull } from './get-pull.ts'
import { listCommentsOfHost, type CommentForge } from './comments-of-host.ts'
import { pullCommentColumns, type PullComment } from './pull-comment.ts'

export type ListPullComments = {
  organizationId: number
  pullId: number
  hosts: { forge(repo: StoredRepository): CommentForge }
  skip: number
  limit: number
}

/** The oldest first; another host is asked for its own. Throws `pull_not_found`. */
export async function listPullComments(
  db: Db,
  { organizationId, pullId, hosts, skip, limit }: ListPullComments,
): Promise<{ items: PullComment[]; total: number }> {
  const pull = await getPull(db, { organizationId, pullId })
  const repo = await getRepo(db, pull)
  if (repo.host !== 'local') {
    const all = await listCommentsOfHost({ repo, pull, forge: hosts.forge(repo) })
    return { items: all.slice(skip, skip + limit), total: all.length }
  }
  const { total } = await one<{ total: number }>(
    db,
    'select count(*) as total from pull_comments where organization_id = $1 and pull_id = $2',
    [organizationId, pullId],
  )
  const items = await rows<PullComment>(
    db,
    `select ${pullCommentColumns} from pull_comments where organization_id = $1 and pull_id = $2 order by created_at, id offset $3 limit $4`,
    [organizationId, pullId, skip, limit],
  )
  return { items, total }
}
