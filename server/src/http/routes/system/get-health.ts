import { defineRoute } from '#http/pipeline/route.ts'

export const getHealthRoute = defineRoute({
  method: 'GET',
  path: '/healthz',
  operationId: 'getHealth',
  tag: 'System',
  summary: 'Check that the process responds',
  policy: null,
  access: 'public',
  success: { status: 200, description: 'The process responds.', component: 'Health' },
  handle: async () => ({ status: 'ok' }),
})
