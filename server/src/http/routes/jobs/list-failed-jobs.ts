import { listFailedJobs } from '#domain/hosts/jobs/list-failed-jobs.ts'
import { pageOf } from '#http/pipeline/page-of.ts'
import { presentFailedJob } from '#http/present/present-failed-job.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams, PageQuery } from '#http/schemas/fields.ts'

export const listFailedJobsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/failed-jobs`,
  operationId: 'listFailedJobs',
  tag: 'Organizations',
  summary: 'List failed jobs, latest first',
  description:
    'Background work that failed at every try, such as posting a comment on a code host. It is kept for 30 days and can be retried.',
  policy: 'standard',
  access: 'manage_integrations',
  params: OrganizationParams,
  query: PageQuery,
  success: { status: 200, description: 'A page of failed jobs.', component: 'FailedJobPage' },
  handle: async ({ db, params, query }) => {
    const { items, total } = await listFailedJobs(db, { organizationId: params.org_id, ...query })
    return pageOf({ items: items.map(presentFailedJob), total }, query)
  },
})
