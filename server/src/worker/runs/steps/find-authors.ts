import type { App } from '#app/app.ts'
import { ownAuthor, type Author } from '#base/own-author.ts'
import { getRunAuthors } from '#domain/hosts/integrations/get-run-authors.ts'
import type { Holder } from '#domain/runs/holder.ts'
import type { TurnFacts } from '#domain/runs/runs/get-turn.ts'

/** In whose name the commits of a turn are made. */
export type Authors = {
  by: Author
  /** Who has asked for the work. */
  with: Author[]
}

/**
 * On another host they are accounts of that host, with the addresses that it gives out for commits: whoever can read the
 * repository learns nothing else of a person. On ours they are the service, and the member who has begun the run.
 */
export async function findAuthors(
  app: Pick<App, 'pool' | 'remoteHosts'>,
  { holder, facts }: { holder: Holder; facts: Pick<TurnFacts, 'repo' | 'requester'> },
): Promise<Authors> {
  const { repo, requester } = facts
  if (!repo || repo.host === 'local') return { by: ownAuthor, with: requester ? [requester] : [] }
  const found = await getRunAuthors(app.pool, holder)
  if (!found) return { by: ownAuthor, with: [] }
  const { kind, baseUrl, bot } = found
  const authorOf = (account: { id: string; login: string }): Author[] =>
    isAccount(account) ? [{ name: account.login, email: app.remoteHosts[kind].noreplyOf(baseUrl, account) }] : []
  const askers = found.askers.filter(
    ({ id }, at, all) => id !== bot?.id && at === all.findIndex((one) => one.id === id),
  )
  return { by: (bot && authorOf(bot)[0]) ?? ownAuthor, with: askers.flatMap(authorOf) }
}

/** What a host calls its people goes into the message of a commit, where each line has a meaning. */
const isAccount = ({ id, login }: { id: string; login: string }) =>
  /^\d+$/.test(id) && /^[A-Za-z0-9_.-]+(?:\[bot\])?$/.test(login)
