import { Type } from 'typebox'
import { createSlackToken, slackTokenMinutes } from '#domain/accounts/tokens/create-slack-token.ts'
import { enterOrganization } from '#http/pipeline/enter-organization.ts'
import { defineRoute } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'

export const createSlackTokenRoute = defineRoute({
  method: 'POST',
  path: '/v1/slack-connect/generate-token',
  operationId: 'createSlackToken',
  tag: 'Tokens',
  summary: 'Create a token that shows who you are in Slack',
  description: 'An earlier one of yours in the organization is good no more. Slack cannot be connected yet.',
  policy: 'standard',
  access: 'manage_profile',
  body: Type.Object({ org_id: Id }),
  success: { status: 200, description: 'The token.', component: 'SlackToken' },
  errors: ['forbidden'],
  secrets: ['token'],
  handle: async (call) => {
    const { app, caller } = call
    const organizationId = call.body.org_id
    const db = await enterOrganization(call, { organizationId, permission: 'manage_profile' })
    const { secret } = await createSlackToken(db, app.tokenKeys, { organizationId, userId: caller.userId })
    return { token: secret, message, expires_in_minutes: slackTokenMinutes }
  },
})

const message = `Slack cannot be connected with this service yet, so there is no bot to send this token to. It expires in ${slackTokenMinutes} minutes.`
