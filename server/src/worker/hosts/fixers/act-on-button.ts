import type { HostEvent } from '#base/hosts/host-event.ts'
import { findAccountUser } from '#domain/accounts/host-accounts/find-account-user.ts'
import { runOfReport } from '#domain/hosts/fixer.ts'
import { advanceFixer } from '#domain/hosts/fixers/advance-fixer.ts'
import { forgetReported } from '#domain/hosts/fixers/forget-reported.ts'
import { listReportedFixers } from '#domain/hosts/fixers/list-reported-fixers.ts'
import { wakeFixers } from '#domain/hosts/fixers/wake-fixers.ts'
import { getOwnAccount } from '#domain/hosts/integrations/get-own-account.ts'
import type { Handler } from '#worker/hosts/events/handler.ts'
import { isTrusted } from '#worker/hosts/events/is-trusted.ts'

type ButtonEvent = Extract<HostEvent, { type: 'button' }>

/** Does what somebody wants who may write there and has pressed a button of our own check: it begins anew, or stops. */
export const actOnButton: Handler<ButtonEvent> = async (app, { organizationId, repo, event }) => {
  const { button, commit, key, actor } = event
  const runId = key === null ? null : runOfReport(key)
  if (key !== null && runId === null) return null
  const place = { organizationId, repoId: repo.id }
  const fixers = await listReportedFixers(app.pool, { ...place, commit, runId })
  if (!fixers.length) return null
  if (button === 'rerun') {
    for (const { pullId } of fixers) await forgetReported(app.pool, { organizationId, pullId, commit })
    await wakeFixers(app.pool, { ...place, about: { commit } })
  }
  if (!actor || actor.isBot) return 'left alone: no person did it'
  if (!(await isTrusted(app, { organizationId, path: repo.path }, actor)))
    return `left alone: ${actor.login} may not write here`
  const { host } = await getOwnAccount(app.pool, repo)
  const userId = await findAccountUser(app.pool, { organizationId, host, actor })
  const type = button === 'stop' ? 'stopped' : 'retried'
  const outcomes: string[] = []
  for (const fixer of fixers) {
    const ignored = whyIgnored(fixer, { button, commit })
    if (ignored === null) {
      const events = [{ type, at: app.clock.now().getTime() } as const]
      await advanceFixer(app.pool, { organizationId, pullId: fixer.pullId, events, userId })
    }
    outcomes.push(ignored ?? `${type} run ${fixer.runId}`)
  }
  return outcomes.join('; ')
}

type Ignore = Pick<ButtonEvent, 'button' | 'commit'>

function whyIgnored(
  { head, suspended }: { head: string; suspended: string | null },
  { commit }: Ignore,
): string | null {
  if (suspended !== null) return 'left alone: it was sent away'
  return head === commit ? null : 'left alone: another commit has taken its place'
}
