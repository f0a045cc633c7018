import type { CheckReport } from '#adapters/codehosts/forge.ts'
import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import type { HeldFixer } from '#domain/hosts/fixers/begin-look.ts'
import { recordReported } from '#domain/hosts/fixers/record-reported.ts'
import { reportKey, reportPrefix, type FixerState, type Reported } from '#domain/hosts/fixer.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { webUrl } from '#domain/runs/runs/web-url.ts'
import { isRefused } from './apply-effect.ts'

export type ReportRun = { agent: HeldFixer; repo: Repo; title: string }

/** Says on the commit how its run stands, as a check that is brought up to date, and only where there is news. */
export async function reportRun(app: App, { agent, repo, title }: ReportRun): Promise<void> {
  const last = agent.reported
  const next = reportOf(agent.state)
  // What was at work on a commit before has ended.
  if (last?.status === 'in_progress' && last.commit !== next.commit)
    await say(app, { agent, repo, title, reported: { ...last, ...endedReport } })
  if (JSON.stringify(next) === JSON.stringify(last && pick(last))) return
  await say(app, { agent, repo, title, reported: next })
}

const endedReport = { status: 'completed', conclusion: 'neutral', title: 'A newer commit has taken its place' } as const

const pick = ({ commit, status, conclusion, title }: Reported): Reported => ({ commit, status, conclusion, title })

/** What a person may want to look at is neutral: no report keeps a pull request from being merged. */
function reportOf({ phase, head: commit, fix, suspended, reason }: FixerState): Reported {
  if (fix)
    return {
      commit,
      status: 'in_progress',
      conclusion: null,
      title: fix.isUpdate ? 'Resolving conflicts' : `Fixing ${fix.checks.join(', ')}`,
    }
  const isLeft = suspended !== null || phase === 'gave_up' || phase === 'paused'
  const title = suspended ? 'Turned off' : (reason ?? 'The work is done; a person must review it')
  return { commit, status: 'completed', conclusion: isLeft ? 'neutral' : 'success', title }
}

/** What makes sense now: on the head alone, and not for an agent that people have sent away. */
function actionsOf(
  { head, phase, suspended }: FixerState,
  { commit, status }: Reported,
): NonNullable<CheckReport['actions']> {
  if (commit !== head || suspended !== null) return []
  if (status === 'in_progress') return [{ id: 'stop', label: 'Stop', description: 'Stop this fix' }]
  const canFix = phase === 'gave_up' || phase === 'paused'
  return canFix ? [{ id: 'fix', label: 'Fix', description: 'Let the agent try to fix it again' }] : []
}

async function say(app: App, { agent, repo, title, reported }: ReportRun & { reported: Reported }): Promise<void> {
  const url = webUrl(app.publicUrl, agent)
  const report = {
    key: reportKey(agent.runId),
    name: `${reportPrefix}${title}`.slice(0, limits.checkNameCharactersMax),
    status: reported.status,
    conclusion: reported.conclusion as CheckReport['conclusion'],
    title: reported.title,
    summary: `The run: ${url}`,
    url,
    actions: actionsOf(agent.state, reported),
  }
  try {
    await app.hosts.forge(repo).reportCheck(repo, reported.commit, report)
  } catch (error) {
    if (!isRefused(error, agent.job)) throw error
    app.logger.debug({ err: error, runId: agent.runId }, 'could not report a run as a check')
  }
  await recordReported(app.pool, { job: agent.job, reported })
}
