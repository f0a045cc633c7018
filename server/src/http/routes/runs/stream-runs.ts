import { Type } from 'typebox'
import { followRuns } from '#domain/runs/subscriptions/follow-runs.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { encodeStatus } from '#http/routes/logs/stream-log.ts'
import { OrganizationParams, ticketField } from '#http/schemas/fields.ts'
import { eventStream, streamEvents } from '#http/pipeline/stream-events.ts'

export const streamRunsRoute = defineRoute({
  method: 'GET',
  path: `${organizationPath}/agent/runs/stream`,
  operationId: 'streamRuns',
  tag: 'Runs',
  summary: 'Stream the status of all runs',
  description:
    'Server-sent events: a `status` event (the run) whenever a run is created or its status changes from now on. There is no cursor; list the runs again after reconnecting.',
  policy: 'standard',
  access: 'read',
  takesTicket: true,
  params: OrganizationParams,
  query: Type.Object(ticketField),
  success: { status: 200, description: 'Events until either side closes the connection.', mediaType: eventStream },
  handle: async ({ app, params, caller, request, reply, deps }) => {
    const { subscriptions, publicUrl } = app
    const reader = await subscriptions.watchRuns(params.org_id)
    try {
      using admission = subscriptions.admit({ credentialId: caller.credentialId, organizationId: params.org_id })
      await streamEvents({
        admission,
        request,
        reply,
        deps,
        events: async function* (signal) {
          for await (const runs of followRuns(subscriptions, { reader, signal }))
            for (const run of runs) yield encodeStatus(run, publicUrl)
        },
      })
    } finally {
      subscriptions.releaseRuns(reader)
    }
  },
})
