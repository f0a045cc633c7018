import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import { repeat } from '#base/concurrency/repeat.ts'
import { appendCheckLog } from '#domain/hosts/checks/append-check-log.ts'
import { unwantedSummary } from '#domain/hosts/checks/cancel-unwanted-checks.ts'
import { isCheckWanted } from '#domain/hosts/checks/is-check-wanted.ts'
import { finishCheck } from '#domain/hosts/checks/finish-check.ts'
import { releaseCheck } from '#domain/hosts/checks/release-check.ts'
import { startCheck, type ClaimedCheck } from '#domain/hosts/checks/start-check.ts'
import { JobLost } from '#domain/hosts/jobs/job.ts'
import type { JobHandler } from '#worker/jobs/job-handler.ts'
import { isStorageFull } from '#domain/accounts/storage/storage.ts'
import { checkCommit, type CheckOutcome } from './check-commit.ts'
import { CheckLog } from './check-log.ts'
import { CheckUnwanted } from './check-unwanted.ts'
import { passCheckOn } from './pass-check-on.ts'

/**
 * Runs the check of a job, for as long as the job is held and somebody waits for the result, and stores it once. What the signal
 * breaks off, another worker begins anew.
 */
export const runCheck: JobHandler = async (app, job, stop) => {
  const claimed = await startCheck(app.pool, job)
  if (!claimed) return
  const log = openLog(app, claimed)
  const outcome = await perform(app, { claimed, log }, stop)
  await log.flush()
  const ended = typeof outcome === 'string' ? outcome : await finish(app, { claimed, outcome, log: log.take() })
  if (ended === 'finished') return
  if (ended === 'lost') throw new JobLost(job)
  await releaseCheck(app.pool, { claimed, isLost: ended === 'left' && !stop.aborted })
  stop.throwIfAborted()
  return { againInMs: 0, isPassedOn: ended === 'passed_on' }
}

type Finish = { claimed: ClaimedCheck; outcome: CheckOutcome; log: Uint8Array }

/**
 * Stores what came of it, with its log. Where there is no room for that the outcome says so; where this machine cannot store
 * it, another runs the check.
 */
async function finish(app: App, { claimed, outcome, log }: Finish): Promise<'finished' | 'passed_on' | 'lost'> {
  const store = async (ended: CheckOutcome, bytes: Uint8Array) =>
    (await finishCheck(app.pool, { claimed, ...ended, log: bytes, blobs: app.blobs })) ? 'finished' : 'lost'
  try {
    return await store(outcome, log)
  } catch (error) {
    if (isStorageFull(error)) {
      const summary = `${outcome.summary}\nThe log was not kept: ${error.message}`
      return store({ ...outcome, summary }, noLog)
    }
    const passed = await passCheckOn(app, { claimed, error })
    if (!passed) throw error
    return typeof passed === 'string' ? passed : store(passed, noLog)
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
  options: Perform,
  stop: AbortSignal,
): Promise<CheckOutcome | 'lost' | 'left' | 'passed_on'> {
  const { claimed } = options
  // Whoever ran it was lost with it each time, and could not say so.
  if (claimed.losses >= limits.checkLossesMax) return givenUp
  const halt = new AbortController()
  const watch = async () => {
    const isWanted = await isCheckWanted(app.pool, claimed).catch(() => true)
    if (!isWanted) halt.abort(new CheckUnwanted())
  }
  await watch()
  await using _watching = repeat(watch, limits.checkLookMs)
  const signal = AbortSignal.any([halt.signal, stop])
  try {
    signal.throwIfAborted()
    return await checkCommit(app, { ...options, signal })
  } catch (error) {
    const why: unknown = signal.aborted ? signal.reason : error
    if (why instanceof CheckUnwanted) return cancelled
    if (why instanceof JobLost) return 'lost'
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
