import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import { repeat } from '#base/concurrency/repeat.ts'
import { appendCheckLog } from '#domain/hosts/checks/append-check-log.ts'
import { unwantedSummary } from '#domain/hosts/checks/cancel-unwanted-checks.ts'
import type { ClaimedCheck } from '#domain/hosts/checks/claim-check.ts'
import { finishCheck } from '#domain/hosts/checks/finish-check.ts'
import { releaseCheck } from '#domain/hosts/checks/release-check.ts'
import { renewCheck } from '#domain/hosts/checks/renew-check.ts'
import { isStorageFull } from '#domain/accounts/storage/storage.ts'
import { checkCommit, type CheckOutcome } from './check-commit.ts'
import { CheckLog } from './check-log.ts'
import { CheckStopped } from './check-stopped.ts'
import { passCheckOn } from './pass-check-on.ts'

/**
 * Runs a check that this worker has claimed, for as long as the claim is held and somebody waits for it, and stores what
 * comes of it once. What `stop` breaks off, another worker begins anew. Never rejects.
 */
export async function runCheck(app: App, claimed: ClaimedCheck, stop: AbortSignal): Promise<void> {
  try {
    const log = openLog(app, claimed)
    const outcome = await perform(app, { claimed, log }, stop)
    await log.flush()
    if (outcome === 'lost') return
    if (outcome === 'passed_on') return await releaseCheck(app.pool, { claimed, isLost: false })
    if (outcome === 'left') return await releaseCheck(app.pool, { claimed, isLost: !stop.aborted })
    await finish(app, { claimed, outcome, log: log.take() })
  } catch (error) {
    // Its claim ends by itself, and it is run again.
    app.logger.warn({ err: error, checkId: claimed.checkId }, 'could not store the result of a check')
  }
}

type Finish = { claimed: ClaimedCheck; outcome: CheckOutcome; log: Uint8Array }

/**
 * Stores what came of it, with its log. Where there is no room for that the outcome says so; where this machine cannot store
 * it, another runs the check.
 */
async function finish(app: App, { claimed, outcome, log }: Finish): Promise<void> {
  const store = (ended: CheckOutcome, bytes: Uint8Array) =>
    finishCheck(app.pool, { claimed, ...ended, log: bytes, blobs: app.blobs })
  try {
    await store(outcome, log)
  } catch (error) {
    if (isStorageFull(error)) {
      const summary = `${outcome.summary}\nThe log was not kept: ${error.message}`
      await store({ ...outcome, summary }, noLog)
      return
    }
    const passed = await passCheckOn(app, { claimed, error })
    if (!passed) throw error
    if (passed === 'passed_on') await releaseCheck(app.pool, { claimed, isLost: false })
    else if (passed !== 'lost') await store(passed, noLog)
  }
}

const noLog = new Uint8Array()

function openLog(app: App, claimed: ClaimedCheck): CheckLog {
  const log = new CheckLog({
    store: (piece) => appendCheckLog(app.pool, { claimed, ...piece }),
    onFault: (error) => app.logger.debug({ err: error, checkId: claimed.checkId }, 'could not store a growing log'),
  })
  if (claimed.isAnew) log.writeLine('[The attempt before was not finished; this one begins anew.]')
  return log
}

type Perform = { claimed: ClaimedCheck; log: CheckLog }

async function perform(
  app: App,
  given: Perform,
  stop: AbortSignal,
): Promise<CheckOutcome | 'lost' | 'left' | 'passed_on'> {
  const { claimed } = given
  // Whoever ran it was lost with it each time, and could not say so.
  if (claimed.losses >= limits.checkLossesMax) return givenUp
  const halt = new AbortController()
  const hold = holding(app, claimed, halt)
  await hold()
  await using _holding = repeat(hold, limits.checkRenewMs)
  const signal = AbortSignal.any([halt.signal, stop])
  try {
    signal.throwIfAborted()
    return await checkCommit(app, { ...given, signal })
  } catch (error) {
    const why: unknown = signal.aborted ? signal.reason : error
    if (why instanceof CheckStopped) return why.why === 'lost' ? 'lost' : cancelled
    if (stop.aborted) return 'left'
    const passed = await passCheckOn(app, { claimed, error })
    if (passed) return passed
    app.logger.warn({ err: error, checkId: claimed.checkId }, 'could not run a check')
    return claimed.losses + 1 < limits.checkLossesMax ? 'left' : givenUp
  }
}

const cancelled: CheckOutcome = { conclusion: 'cancelled', summary: unwantedSummary }
const givenUp: CheckOutcome = {
  conclusion: 'startup_failure',
  summary: `It could not be run, ${limits.checkLossesMax} times in a row.`,
}

/** Renews the claim, and halts what is done under it once that is in vain. No answer is not yet the end. */
function holding(app: App, claimed: ClaimedCheck, halt: AbortController): () => Promise<void> {
  let renewedAt = performance.now()
  return async () => {
    const begunAt = performance.now()
    const state = await renewCheck(app.pool, claimed).catch(() => undefined)
    if (state !== undefined) renewedAt = begunAt
    if (state === 'unwanted') halt.abort(new CheckStopped('unwanted'))
    if (state === 'lost' || performance.now() - renewedAt > limits.checkClaimMs) halt.abort(new CheckStopped('lost'))
  }
}
