import { findProblems, type Problems } from '#domain/runs/overview/find-problems.ts'
import { WritesRefused } from '#domain/runs/overview/watch-overview.ts'
import { defineRoute } from '#http/pipeline/route.ts'
import { databaseAway, inTime, openProbe, type Probed } from './open-probe.ts'

const probe = openProbe({
  down: 'the service is not ready',
  up: 'the service is ready again',
  look: lookAround,
})

export const getServiceStatusRoute = defineRoute({
  method: 'GET',
  path: '/statusz',
  operationId: 'getServiceStatus',
  tag: 'System',
  summary: 'Check that the service works',
  description:
    'For monitoring: every API process reports this for the whole service. A 503 response describes each problem in a sentence, such as that PostgreSQL or the blob store cannot be reached, or that runs are stuck. Warnings are for the operator and do not affect the API, such as when no worker is alive.',
  policy: null,
  access: 'public',
  success: { status: 200, description: 'The service works.', component: 'ServiceStatus' },
  handle: async ({ app, db, deps }) => ({ status: 'ok', warnings: (await probe({ app, db, deps })).warnings }),
})

async function lookAround({ app, deps }: Probed): Promise<Problems> {
  const problemOf = (error: unknown) => (error instanceof WritesRefused ? error.message : databaseAway)
  const [runs, blobs, others] = await Promise.all([
    inTime(app.watchOverview().then(findProblems), problemOf),
    inTime(
      app.blobs.probe().then(() => []),
      () => 'The store of files cannot be reached.',
    ),
    inTime(deps.problems?.() ?? Promise.resolve([]), problemOf),
  ])
  const { problems, warnings } = Array.isArray(runs) ? { problems: runs, warnings: [] } : runs
  const all = [...new Set([...problems, ...blobs, ...others])]
  // What PostgreSQL says itself is more than that it cannot be reached.
  const isExplained = Array.isArray(runs) && !runs.includes(databaseAway)
  return { problems: isExplained ? all.filter((problem) => problem !== databaseAway) : all, warnings }
}
