import { HostError, type HostErrorCode } from '#adapters/codehosts/code-host.ts'
import type { App } from '#app/app.ts'
import { hostLimits } from '#base/hosts/host-limits.ts'
import { claimHostEvents, type ClaimedEvent } from '#domain/hosts/events/claim-host-events.ts'
import { finishHostEvent } from '#domain/hosts/events/finish-host-event.ts'
import { releaseHostEvent } from '#domain/hosts/events/release-host-event.ts'
import { returnHostEvent } from '#domain/hosts/events/return-host-event.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { raceWithAbort } from '#base/concurrency/race-with-abort.ts'
import type { Handler } from './events/handler.ts'
import { handlers } from './handlers.ts'

/**
 * Works off what has happened on code hosts: the next event of each of some subjects, at once. An event that no handler
 * can act on is tried again later, and keeps only its own subject waiting. Answers whether there may be more.
 */
export async function handleHostEvents(app: App, signal: AbortSignal): Promise<boolean> {
  const claimed = await claimHostEvents(app.pool)
  await Promise.all(claimed.map((event) => handle(app, event, signal)))
  return claimed.length > 0
}

async function handle(app: App, claimed: ClaimedEvent, stop: AbortSignal): Promise<void> {
  const { organizationId, id, tries, event } = claimed
  const signal = AbortSignal.any([stop, AbortSignal.timeout(hostLimits.hostEventMs)])
  try {
    const outcome = await act(app, claimed, signal)
    await finishHostEvent(app.pool, { organizationId, id, tries, outcome })
  } catch (error) {
    if (stop.aborted) return returnHostEvent(app.pool, { organizationId, id, tries })
    const reason = app
      .mask(error instanceof Error ? error.message : String(error))
      .slice(0, hostLimits.hostOutcomeCharactersMax)
    const { retryAt, code } = error instanceof HostError ? error : {}
    // What is new may not be everywhere yet; what is gone stays gone.
    if (code !== undefined && isFinal.has(code) && tries >= finalTries)
      return finishHostEvent(app.pool, { organizationId, id, tries, outcome: reason })
    const isGivenUp = await releaseHostEvent(app.pool, { organizationId, id, tries, reason, retryAt })
    const told = { err: error, organizationId, hostEventId: id, type: event.type }
    if (isGivenUp) app.logger.error(told, 'handling a code host event failed for good')
    else app.logger.warn(told, 'handling a code host event failed; it is tried again')
  }
}

async function act(
  app: App,
  { organizationId, repoId, event }: ClaimedEvent,
  signal: AbortSignal,
): Promise<string | null> {
  const repo = await getRepo(app.pool, { organizationId, repoId })
  const outcomes: string[] = []
  for (const handler of handlers[event.type] as readonly Handler[]) {
    const outcome = await raceWithAbort(handler(app, { organizationId, repo, event, signal }), { signal })
    if (outcome !== null) outcomes.push(outcome)
  }
  return outcomes.length ? app.mask(outcomes.join('; ')).slice(0, hostLimits.hostOutcomeCharactersMax) : null
}

const isFinal: ReadonlySet<HostErrorCode> = new Set(['not_found', 'unsupported', 'too_large'])
const finalTries = 3
