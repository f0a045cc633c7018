import type { HostActor } from '#base/hosts/host-event.ts'
import { hostActor } from '#domain/accounts/users/host-actor.ts'
import { trimTrailing } from '#base/text/trim-trailing.ts'

/** An issue of the built-in host. */
export type Issue = {
  organizationId: number
  id: number
  repoId: number
  /** Counted for each repository, together with its pull requests. */
  number: number
  userId: number
  title: string
  body: string
  state: 'open' | 'closed'
  labels: string[]
  isAssignedToAgent: boolean
  /** Null where its writer is no member any more. */
  author: HostActor | null
  createdAt: Date
  updatedAt: Date
}

export const issueColumns = `i.organization_id, i.id, i.repo_id, i.number, i.user_id,
  i.title, i.body, i.state, i.labels, i.is_assigned_to_agent, ${hostActor} as author,
  i.created_at, i.updated_at`

export const issueTables = 'issues i left join users u on u.id = i.user_id'

/** Where people look at it. */
export function issueUrl(
  publicUrl: string,
  { organizationId, repoId, number }: Pick<Issue, 'organizationId' | 'repoId' | 'number'>,
): string {
  return `${trimTrailing(publicUrl, '/')}/organizations/${organizationId}/repos/${repoId}/issues/${number}`
}

/** Each once, in their order. */
export function labelsOf(labels: string[]): string[] {
  return [...new Set(labels.map((label) => label.trim()).filter(Boolean))]
}
