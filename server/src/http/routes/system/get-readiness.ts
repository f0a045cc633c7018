import { setTimeout as sleep } from 'node:timers/promises'
import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { findProblems } from '#domain/overview/find-problems.ts'
import { defineRoute } from '#http/route.ts'

export const getReadinessRoute = defineRoute({
  method: 'GET',
  path: '/readyz',
  operationId: 'getReadiness',
  tag: 'System',
  summary: 'Whether the service can work',
  description:
    'Any process of the API tells this of the whole service. 503 says in a sentence each what is wrong: PostgreSQL or the store of files cannot be reached, or runs are stuck. A `warning` is what an operator should know though the API works, such as runs that wait while no worker is alive.',
  policy: null,
  access: 'public',
  success: { status: 200, description: 'It can.', component: 'Readiness' },
  handle: async ({ app, parts }) => {
    const [overview, blobs, others] = await Promise.all([
      inTime(app.watchOverview(), 'PostgreSQL cannot be reached.'),
      inTime(app.blobs.probe(), 'The store of files cannot be reached.'),
      parts.problems?.() ?? [],
    ])
    const { problems, warnings } = 'value' in overview ? findProblems(overview.value) : { problems: [], warnings: [] }
    const all = [
      ...[overview, blobs].flatMap((answer) => ('problem' in answer ? answer.problem : [])),
      ...problems,
      ...others,
    ]
    if (all.length) throw new AppError('unavailable', { message: all.join(' ') })
    return { status: 'ok', warnings }
  },
})

/** Who asks whether the service is ready does not wait for long; an answer that comes too late is none. */
async function inTime<T>(asked: Promise<T>, problem: string): Promise<{ value: T } | { problem: string }> {
  const answered = asked.then(
    (value) => ({ value }),
    () => ({ problem }),
  )
  return Promise.race([answered, sleep(limits.overviewMs, { problem }, { ref: false })])
}
