import { rows, type Db } from '#db/pool.ts'
import { getAgentUser } from '#domain/accounts/organizations/get-agent-user.ts'
import { updateIssue } from './update-issue.ts'

export type CloseIssues = {
  organizationId: number
  repoId: number
  numbers: number[]
  /** Null: the service itself. */
  userId: number | null
}

/** Those of them that are there and open. */
export async function closeIssues(tx: Db, { organizationId, repoId, numbers, userId }: CloseIssues): Promise<void> {
  if (!numbers.length) return
  const open = await rows<{ number: number }>(
    tx,
    `select number from issues where organization_id = $1 and repo_id = $2 and number = any($3) and state = 'open'
     order by number for update`,
    [organizationId, repoId, numbers],
  )
  const by = open.length ? (userId ?? (await getAgentUser(tx, { organizationId }))) : 0
  const unchanged = { title: undefined, body: undefined, labels: undefined, isAssignedToAgent: undefined }
  for (const { number } of open)
    await updateIssue(tx, { organizationId, repoId, number, userId: by, state: 'closed', ...unchanged })
}
