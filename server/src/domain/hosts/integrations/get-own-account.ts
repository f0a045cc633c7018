import type { HostActor } from '#base/hosts/host-event.ts'
import { maybeOne, type Db } from '#db/pool.ts'
import { hostName } from '#domain/accounts/host-accounts/host-name.ts'
import type { Repo } from '#domain/repos/repo.ts'

/** Who we are on a repository's host. */
export type OwnAccount = {
  /** Which host it is, where identities count: `local`, `github`, `github:ghe.example.com`. */
  host: string
  /** Null where nobody knows yet. */
  hostUserId: string | null
  /** By which people mention it, besides the agent's name; null where it is a person's, or has none. */
  mentionedAs: string | null
  /** It is the account of a person, whose token we were given: what it says may be theirs. */
  isPerson: boolean
}

type Row = { kind: string; baseUrl: string | null; appId: number | null; botId: string | null; botLogin: string | null }

export async function getOwnAccount(
  db: Db,
  { organizationId, host, integrationId }: Pick<Repo, 'organizationId' | 'host' | 'integrationId'>,
): Promise<OwnAccount> {
  if (host === 'local') {
    const agent = await maybeOne<{ agentId: number | null }>(db, 'select agent_id from organizations where id = $1', [
      organizationId,
    ])
    return { host, hostUserId: agent?.agentId ? String(agent.agentId) : null, mentionedAs: null, isPerson: false }
  }
  const found = await maybeOne<Row>(
    db,
    `select kind, base_url, app_id, bot_id, bot_login
     from integrations where organization_id = $1 and id = $2`,
    [organizationId, integrationId],
  )
  if (!found) return { host, hostUserId: null, mentionedAs: null, isPerson: false }
  const isPerson = found.appId === null
  return {
    host: hostName(found),
    hostUserId: found.botId,
    mentionedAs: isPerson ? null : (found.botLogin?.replace(/\[bot\]$/, '') ?? null),
    isPerson,
  }
}

/** Whether it is us who did something, and nobody else can have. */
export function isOwn({ hostUserId, isPerson }: OwnAccount, actor: HostActor): boolean {
  return !isPerson && hostUserId !== null && actor.hostUserId === hostUserId
}
