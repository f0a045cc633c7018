import { HostError, type HostErrorCode } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import type { HostEvent } from '#base/hosts/host-event.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { finishHostEvent } from '#domain/hosts/events/finish-host-event.ts'
import { getHostEvent } from '#domain/hosts/events/get-host-event.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import type { JobHandler } from '#worker/jobs/job-handler.ts'
import type { Handler } from './events/handler.ts'
import { handlers } from './handlers.ts'

/**
 * Handles what has happened on a code host. An event that no handler can act on is tried again later, and keeps only its own
 * subject waiting.
 */
export const handleHostEvent: JobHandler = async (app, job, signal) => {
  const found = await getHostEvent(app.pool, job)
  if (!found) return
  const { organizationId, tries } = job
  try {
    await finishHostEvent(app.pool, { job, outcome: await act(app, { organizationId, ...found }, signal) })
  } catch (error) {
    // What is new may not be everywhere yet; what is gone stays gone.
    if (!(error instanceof HostError && isFinal.has(error.code)) || tries < finalTries) throw error
    const outcome = app.mask(error.message).slice(0, hostLimits.hostOutcomeCharactersMax)
    await finishHostEvent(app.pool, { job, outcome })
  }
}

type Act = { organizationId: number; repoId: number; event: HostEvent }

async function act(app: App, { organizationId, repoId, event }: Act, signal: AbortSignal): Promise<string | null> {
  const repo = await getRepo(app.pool, { organizationId, repoId })
  const outcomes: string[] = []
  for (const handler of handlers[event.type] as readonly Handler[]) {
    signal.throwIfAborted()
    const outcome = await handler(app, { organizationId, repo, event, signal })
    if (outcome !== null) outcomes.push(outcome)
  }
  return outcomes.length ? app.mask(outcomes.join('; ')).slice(0, hostLimits.hostOutcomeCharactersMax) : null
}

const isFinal: ReadonlySet<HostErrorCode> = new Set(['not_found', 'unsupported', 'too_large'])
const finalTries = 3
