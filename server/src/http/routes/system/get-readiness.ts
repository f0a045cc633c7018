import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { memoizeFor } from '#base/concurrency/memoize-for.ts'
import { findProblems, type Problems } from '#domain/runs/overview/find-problems.ts'
import { WritesRefused } from '#domain/runs/overview/watch-overview.ts'
import type { HttpApp, HttpDeps } from '#http/pipeline/deps.ts'
import { defineRoute } from '#http/pipeline/route.ts'

type Asked = { app: Pick<HttpApp, 'watchOverview' | 'blobs' | 'logger'>; deps: Pick<HttpDeps, 'problems'> }
/** Of each server, so that who asks all the time costs no more than who asks once in a second. */
const looks = new WeakMap<Asked['deps'], () => Promise<Problems>>()
/** What each server has said of itself last: its log says it again when it changes, not at each look. */
const lastReasons = new WeakMap<Asked['deps'], string>()

export const getReadinessRoute = defineRoute({
  method: 'GET',
  path: '/readyz',
  operationId: 'getReadiness',
  tag: 'System',
  summary: 'Check that the service is ready',
  description:
    'Every API process reports this for the whole service. A 503 response describes each problem in a sentence, such as that PostgreSQL or the blob store cannot be reached, or that runs are stuck. Warnings are for the operator and do not affect the API, such as when no worker is alive.',
  policy: null,
  access: 'public',
  success: { status: 200, description: 'The service is ready.', component: 'Readiness' },
  handle: async ({ app, deps }) => {
    if (deps.ending?.aborted) throw new AppError('unavailable', { message: 'This process is shutting down.' })
    const look = looks.get(deps) ?? memoizeFor(limits.overviewKeptMs, () => lookAround({ app, deps }))
    looks.set(deps, look)
    const { problems, warnings } = await look()
    sayOnce({ app, deps }, problems)
    if (problems.length) throw new AppError('unavailable', { message: problems.join(' ') })
    return { status: 'ok', warnings }
  },
})

const databaseAway = 'PostgreSQL cannot be reached.'

function sayOnce({ app, deps }: Asked, problems: string[]): void {
  const reason = problems.join(' ')
  if ((lastReasons.get(deps) ?? '') === reason) return
  lastReasons.set(deps, reason)
  if (reason) app.logger.warn({ reason }, 'the service is not ready')
  else app.logger.info('the service is ready again')
}

async function lookAround({ app, deps }: Asked): Promise<Problems> {
  const [runs, blobs, others] = await Promise.all([
    inTime(app.watchOverview().then(findProblems), databaseAway),
    inTime(
      app.blobs.probe().then(() => []),
      'The store of files cannot be reached.',
    ),
    inTime(deps.problems?.() ?? Promise.resolve([]), databaseAway),
  ])
  const { problems, warnings } = Array.isArray(runs) ? { problems: runs, warnings: [] } : runs
  const all = [...new Set([...problems, ...blobs, ...others])]
  // What PostgreSQL says itself is more than that it cannot be reached.
  const isExplained = Array.isArray(runs) && !runs.includes(databaseAway)
  return { problems: isExplained ? all.filter((problem) => problem !== databaseAway) : all, warnings }
}

/** Who asks whether the service is ready does not wait for long; an answer that comes too late is none. */
function inTime<T>(asked: Promise<T>, problem: string): Promise<T | string[]> {
  const answered = asked.catch((error: unknown) => [error instanceof WritesRefused ? error.message : problem])
  return Promise.race([answered, sleep(limits.overviewMs, [problem], { ref: false })])
}
