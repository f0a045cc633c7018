import { maybeOne, rows, type Db } from '#db/pool.ts'
import { hostName } from '#domain/accounts/host-accounts/host-name.ts'
import type { Asker } from '#domain/runs/messages/message.ts'
import type { RunIds } from '#domain/runs/run.ts'
import type { IntegrationKind } from './integration.ts'

/** Who works on a repository of another host, as that host knows them. */
export type RunAuthors = {
  kind: IntegrationKind
  baseUrl: string | null
  /** We ourselves; null where nobody knows yet. */
  bot: Asker | null
  /** Who has begun the run, and who the turn that it is at, as far as they have an account there. */
  askers: Asker[]
}

type Row = { kind: IntegrationKind; baseUrl: string | null; botId: string | null; botLogin: string | null }

/** Null where the run's repository is on no host elsewhere, or not connected any more. */
export async function getRunAuthors(db: Db, { organizationId, runId }: RunIds): Promise<RunAuthors | null> {
  const connected = await maybeOne<Row>(
    db,
    `select i.kind, i.base_url, i.bot_id, i.bot_login
     from runs r join repos p on p.organization_id = r.organization_id and p.id = r.repo_id
       join integrations i on i.organization_id = p.organization_id and i.id = p.integration_id
     where r.organization_id = $1 and r.id = $2`,
    [organizationId, runId],
  )
  if (!connected) return null
  const { kind, baseUrl, botId, botLogin } = connected
  const found = await rows<{ asker: Asker | null }>(db, askersOfTurn, [organizationId, runId, hostName(connected)])
  const bot = botId !== null && botLogin !== null ? { id: botId, login: botLogin } : null
  return { kind, baseUrl, bot, askers: found.flatMap(({ asker }) => asker ?? []) }
}

/** What begins a turn is its first message. A member who has asked here is whom they have linked there. */
const askersOfTurn = `
  select coalesce(m.asker, (
    select json_build_object('id', a.host_user_id, 'login', a.login) from host_accounts a
    where a.organization_id = m.organization_id and a.host = $3 and a.user_id = m.author_id)) as asker
  from messages m
  where m.organization_id = $1 and m.run_id = $2 and m.n in (
    select min(first.n) from messages first join run_heads h on h.organization_id = $1 and h.run_id = $2
    where first.organization_id = $1 and first.run_id = $2 and first.turn in (1, h.turn) group by first.turn)
  order by m.n`
