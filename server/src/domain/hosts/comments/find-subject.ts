import type { HostSubject } from '#base/hosts/host-event.ts'
import type { Db } from '#db/pool.ts'
import { getIssue } from '#domain/hosts/issues/get-issue.ts'
import { issueUrl } from '#domain/hosts/issues/issue.ts'
import { findHostPull } from '#domain/hosts/pulls/find-host-pull.ts'
import { pullUrl } from '#domain/hosts/pulls/pull.ts'

type FindSubject = { organizationId: number; repoId: number; on: HostSubject; publicUrl: string }

/** The row of what is commented on, where its comments' rows name it, and where people look at it. */
export type Subject = { kind: HostSubject['kind']; id: number; url: string; headCommit: string | null }

/** Throws `issue_not_found`, `pull_not_found`. */
export async function findSubject(db: Db, { organizationId, repoId, on, publicUrl }: FindSubject): Promise<Subject> {
  const place = { organizationId, repoId, number: on.number }
  if (on.kind === 'issue') {
    const issue = await getIssue(db, place)
    return { kind: 'issue', id: issue.id, url: issueUrl(publicUrl, issue), headCommit: null }
  }
  const pull = await findHostPull(db, place)
  return { kind: 'pull', id: pull.id, url: pullUrl(publicUrl, pull), headCommit: pull.headCommit }
}
