import { createStreamTicket } from '#domain/accounts/tokens/create-stream-ticket.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams } from '#http/schemas/fields.ts'

export const createStreamTicketRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/stream-tickets`,
  operationId: 'createStreamTicket',
  tag: 'Tokens',
  summary: 'Create a stream ticket',
  description:
    "For browsers, which can't set headers when they open a stream. Pass the ticket as `?ticket=` in the URL instead of the token. It can be used only once and expires soon.",
  policy: 'standard',
  access: 'read',
  params: OrganizationParams,
  success: { status: 201, description: 'The ticket.', component: 'StreamTicket' },
  secrets: ['ticket'],
  handle: async ({ app, db, params, caller }) => {
    const made = await createStreamTicket(db, app.tokenKeys, {
      organizationId: params.org_id,
      credentialId: caller.credentialId,
    })
    return { ticket: made.secret, expires_at: made.expiresAt.toISOString() }
  },
})
