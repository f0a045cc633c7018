import { createComparison } from '#domain/hosts/comparisons/create-comparison.ts'
import { readNewComparison } from '#http/input/read-new-comparison.ts'
import { presentComparison } from '#http/present/present-comparison.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { traceparentOf } from '#http/pipeline/trace-request.ts'
import { NewComparison } from '#http/schemas/comparison.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'

export const createComparisonRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/comparisons`,
  operationId: 'createComparison',
  tag: 'Comparisons',
  summary: 'Give one task to several contestants',
  description:
    'Starts a run for each contestant, or none. The runs push their branches and open no pull requests. Each commit is judged by the same commands, in a sandbox of its own.',
  policy: 'creation',
  access: 'use_agents',
  params: OrganizationParams,
  body: NewComparison,
  success: { status: 201, description: 'The comparison.', component: 'Comparison' },
  errors: [
    'prompt_too_long',
    'metadata_too_large',
    'engine_unavailable',
    'budget_reached',
    'repo_not_found',
    'conflict',
    'sandbox_too_weak',
    'storage_full',
  ],
  handle: async ({ app, db, params, body, caller, request }) => {
    const read = await readNewComparison({ app, db, organizationId: params.org_id, caller, body })
    const traceparent = traceparentOf(request)
    const contestants = read.contestants.map(({ name, run }) => ({ name, run: { ...run, traceparent } }))
    return presentComparison(await createComparison(db, app.secretBox, { ...read, contestants }), app.publicUrl)
  },
})
