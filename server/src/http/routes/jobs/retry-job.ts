import { retryJob } from '#domain/hosts/jobs/retry-job.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { JobParams } from '#http/schemas/job.ts'

export const retryJobRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/failed-jobs/:job_id/retry`,
  operationId: 'retryJob',
  tag: 'Organizations',
  summary: 'Retry a failed job',
  description: 'A worker tries it again soon. If it fails at every try again, it returns to the list.',
  policy: 'standard',
  access: 'manage_integrations',
  params: JobParams,
  success: { status: 204, description: 'It is going to be retried.' },
  errors: ['job_not_found'],
  handle: ({ db, params }) => retryJob(db, { organizationId: params.org_id, jobId: params.job_id }),
})
