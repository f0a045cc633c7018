import type { HostPull } from '#adapters/codehosts/code-host.ts'
import type { Mergeability } from '#base/hosts/host-facts.ts'
import type { App } from '#app/app.ts'
import { findFixEnd } from '#domain/hosts/fixers/find-fix-end.ts'
import { hasBeenResumed } from '#domain/hosts/fixers/has-been-resumed.ts'
import { isRunAtWork } from '#domain/hosts/fixers/is-run-at-work.ts'
import type { Fixer, FixerEvent, SeenCheck } from '#domain/hosts/fixer.ts'
import { reportPrefix } from '#domain/hosts/fixer.ts'
import { recordSeenChecks } from '#domain/hosts/fixers/record-seen-checks.ts'
import { saveHostPull } from '#domain/hosts/pulls/save-host-pull.ts'
import type { Repo } from '#domain/repos/repo.ts'
import type { HeldFixer } from '#domain/hosts/fixers/begin-look.ts'
import { whoHasPushed } from './who-has-pushed.ts'

/** The pull request as its host has it now, and what the agent does not know of it yet. */
export type Observed = {
  pull: HostPull
  events: FixerEvent[]
  isRunAtWork: boolean
  /** Of its head; null where nobody has looked: it is closed, or the run is at work. */
  checks: SeenCheck[] | null
  /** Of its head; null where nobody has looked, and where its host does not know yet. */
  mergeability: Mergeability | null
}

export type ObservePull = { agent: HeldFixer; repo: Repo; number: number }

/** Looks how a pull request stands, at its host and with the run. Whatever brought it about, it is seen here. */
export async function observePull(app: App, { agent, repo, number }: ObservePull): Promise<Observed> {
  const pull = await app.hosts.forge(repo).getPull(repo, number)
  // Of the built-in host it is the row itself.
  if (repo.host !== 'local') await saveHostPull(app.pool, { ...agent, pull })
  const at = app.clock.now().getTime()
  const events = [
    ...(await endOfFix(app, agent, at)),
    ...stateOf(pull, agent, at),
    ...(agent.state.isOurDraft && !pull.draft ? [{ type: 'made_ready' as const, at }] : []),
    ...(await push(app, { agent, repo, pull, at })),
    ...(await call(app, agent, at)),
  ]
  const isAtWork = await isRunAtWork(app.pool, agent)
  const { commit: head } = pull.head
  if (pull.state !== 'open' || isAtWork)
    return { pull, events, isRunAtWork: isAtWork, checks: null, mergeability: null }
  const { mergeability = await app.hosts.forge(repo).getMergeability(repo, number) } = pull
  const checks = await checksAt(app, { repo, head })
  if (!agent.state.suspended) {
    if (mergeability) events.push({ type: 'compared', head, mergeability, at })
    events.push({ type: 'checks', head, checks, at })
  }
  return { pull, events, isRunAtWork: false, checks, mergeability }
}

async function endOfFix(app: App, { organizationId, runId, state }: Fixer, at: number): Promise<FixerEvent[]> {
  const { fix } = state
  if (!fix || fix.turn === null) return []
  const end = await findFixEnd(app.pool, { organizationId, runId, turn: fix.turn })
  return end ? [{ type: 'fix_ended', attempt: fix.attempt, ...end, at }] : []
}

function stateOf(pull: HostPull, { state }: Fixer, at: number): FixerEvent[] {
  if (pull.merged) return [{ type: 'merged', at }]
  if (pull.state === 'closed') return [{ type: 'closed', at }]
  return state.phase === 'closed' || state.phase === 'merged' ? [{ type: 'reopened', at }] : []
}

async function push(
  app: App,
  { agent, repo, pull, at }: { agent: HeldFixer; repo: Repo; pull: HostPull; at: number },
): Promise<FixerEvent[]> {
  const { commit: head } = pull.head
  if (head === agent.state.head) return []
  const by = await whoHasPushed(app, { agent, repo, branch: pull.head.branch, to: head })
  return [{ type: 'pushed', head, by, at }]
}

async function call(app: App, agent: HeldFixer, at: number): Promise<FixerEvent[]> {
  const { phase, since } = agent.state
  if (phase !== 'paused' && phase !== 'gave_up') return []
  return (await hasBeenResumed(app.pool, { ...agent, since: new Date(since) })) ? [{ type: 'resumed', at }] : []
}

async function checksAt(app: App, { repo, head }: { repo: Repo; head: string }): Promise<SeenCheck[]> {
  const { checks: all } = await app.hosts.forge(repo).listChecks(repo, head)
  const checks = all.filter(({ name }) => !name.startsWith(reportPrefix))
  const names = checks.flatMap(({ name, app: by }) => [name, by])
  if (names.length) await recordSeenChecks(app.pool, { ...repo, repoId: repo.id, names })
  return checks.map(({ name, app: by, status, conclusion }) => ({ name, app: by, status, conclusion }))
}
