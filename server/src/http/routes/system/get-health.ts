import { defineRoute } from '#http/route.ts'

export const getHealthRoute = defineRoute({
  method: 'GET',
  path: '/healthz',
  operationId: 'getHealth',
  tag: 'System',
  summary: 'Whether the process answers',
  policy: null,
  access: 'public',
  success: { status: 200, description: 'It does.', component: 'Health' },
  handle: async () => ({ status: 'ok' }),
})
