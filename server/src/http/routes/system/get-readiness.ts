import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { lookSeldom } from '#base/look-seldom.ts'
import { findProblems, type Problems } from '#domain/overview/find-problems.ts'
import type { HttpApp, HttpParts } from '#http/parts.ts'
import { defineRoute } from '#http/route.ts'

type Asked = { app: Pick<HttpApp, 'watchOverview' | 'blobs'>; parts: Pick<HttpParts, 'problems'> }
/** Of each server, so that who asks all the time costs no more than who asks once in a second. */
const looks = new WeakMap<Asked['parts'], () => Promise<Problems>>()

export const getReadinessRoute = defineRoute({
  method: 'GET',
  path: '/readyz',
  operationId: 'getReadiness',
  tag: 'System',
  summary: 'Whether the service can work',
  description:
    'Any process of the API tells this of the whole service. 503 says in a sentence each what is wrong: PostgreSQL or the store of files cannot be reached, runs are stuck. A warning is what an operator should know though the API works, such as that no worker is alive.',
  policy: null,
  access: 'public',
  success: { status: 200, description: 'It can.', component: 'Readiness' },
  handle: async ({ app, parts }) => {
    if (parts.ending?.aborted) throw new AppError('unavailable', { message: 'This process is ending.' })
    const look = looks.get(parts) ?? lookSeldom(limits.overviewKeptMs, () => lookAround({ app, parts }))
    looks.set(parts, look)
    const { problems, warnings } = await look()
    if (problems.length) throw new AppError('unavailable', { message: problems.join(' ') })
    return { status: 'ok', warnings }
  },
})

const databaseAway = 'PostgreSQL cannot be reached.'

async function lookAround({ app, parts }: Asked): Promise<Problems> {
  const [runs, blobs, others] = await Promise.all([
    inTime(app.watchOverview().then(findProblems), databaseAway),
    inTime(
      app.blobs.probe().then(() => []),
      'The store of files cannot be reached.',
    ),
    inTime(parts.problems?.() ?? Promise.resolve([]), databaseAway),
  ])
  const { problems, warnings } = Array.isArray(runs) ? { problems: runs, warnings: [] } : runs
  return { problems: [...new Set([...problems, ...blobs, ...others])], warnings }
}

/** Who asks whether the service is ready does not wait for long; an answer that comes too late is none. */
function inTime<T>(asked: Promise<T>, problem: string): Promise<T | string[]> {
  const answered = asked.catch(() => [problem])
  return Promise.race([answered, sleep(limits.overviewMs, [problem], { ref: false })])
}
