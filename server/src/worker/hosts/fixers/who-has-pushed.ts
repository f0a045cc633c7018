import type { App } from '#app/app.ts'
import type { HostPush } from '#base/hosts/host-facts.ts'
import { listToldPushes } from '#domain/hosts/events/list-told-pushes.ts'
import { isPushedByRun } from '#domain/hosts/fixers/is-pushed-by-run.ts'
import type { Fixer, Pusher } from '#domain/hosts/fixer.ts'
import type { ClaimedJob } from '#domain/hosts/jobs/job.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { isRefused } from './apply-effect.ts'

export type WhoHasPushed = { agent: Fixer & { job: Pick<ClaimedJob, 'tries'> }; repo: Repo; branch: string; to: string }

/**
 * Who has brought a pull request's branch from where its agent has seen it to where it is: a person, where one of all these
 * pushes is of a person, or of nobody knows whom.
 */
export async function whoHasPushed(
  app: Pick<App, 'pool' | 'hosts'>,
  { agent, repo, branch, to }: WhoHasPushed,
): Promise<Pusher> {
  if (await isPushedByRun(app.pool, { ...agent, commit: to })) return 'run'
  const way = { from: agent.state.head, to }
  const pushesKnown = await listToldPushes(app.pool, { ...agent, branch })
  const pushes =
    findWay(pushesKnown, way) ?? findWay([...pushesKnown, ...(await askHost(app, { agent, repo, branch }))], way)
  if (!pushes) return 'person'
  // The host itself, which we have asked to bring the branch up to date.
  if (pushes.length === 1 && agent.state.updatedFrom === way.from) return 'run'
  for (const { after, actor } of pushes) {
    if (actor?.isBot) continue
    if (after === null || !(await isPushedByRun(app.pool, { ...agent, commit: after }))) return 'person'
  }
  return 'program'
}

/** The pushes between two commits of a branch; null where not all of them are known. */
function findWay(pushes: readonly HostPush[], { from, to }: { from: string; to: string }): HostPush[] | null {
  const left = [...pushes]
  const way: HostPush[] = []
  for (let at: string | null = to; at !== from;) {
    // Of one that is told twice, that which says who it was.
    const pushesKnown = left.filter(({ after }) => after === at)
    const push = pushesKnown.find(({ actor }) => actor !== null) ?? pushesKnown[0]
    if (!push) return null
    left.splice(left.indexOf(push), 1)
    way.push(push)
    at = push.before
  }
  return way
}

/** What our own events do not tell, as where a webhook was lost, a host may know. */
async function askHost(
  { hosts }: Pick<App, 'hosts'>,
  { agent, repo, branch }: Omit<WhoHasPushed, 'to'>,
): Promise<HostPush[]> {
  return hosts
    .forge(repo)
    .listPushes(repo, branch)
    .catch((error: unknown) => {
      if (isRefused(error, agent.job)) return []
      throw error
    })
}
