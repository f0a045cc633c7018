import { one, type Db } from '#db/pool.ts'

/** The agent as a member of the organization, made the first time that it is needed. */
export async function getAgentUser(db: Db, { organizationId }: { organizationId: number }): Promise<number> {
  const { userId } = await one<{ userId: number }>(db, 'select agent_user($1) as "userId"', [organizationId])
  return userId
}
