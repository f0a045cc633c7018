import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { connectionOf } from '#domain/hosts/integrations/connection-of.ts'
import type { Credentials } from '#domain/hosts/integrations/integration.ts'
import { openIntegration, type OpenIntegration } from '#domain/hosts/integrations/open-integration.ts'
import { updateIntegration } from '#domain/hosts/integrations/update-integration.ts'
import { askToConnect } from '#http/input/ask-to-connect.ts'
import { presentIntegration } from '#http/present/present-integration.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, Nullable } from '#http/schemas/fields.ts'
import { IntegrationParams, integrationSecrets } from '#http/schemas/integration.ts'

export const updateIntegrationRoute = defineRoute({
  method: 'PATCH',
  path: `${organizationPath}/integrations/:integration_id`,
  operationId: 'updateIntegration',
  tag: 'Organizations',
  summary: 'Update or disable an integration',
  description:
    'Fields that are omitted or null are left unchanged. A new webhook secret is valid immediately. The previous one also remains valid until the next change. Its repositories are listed again.',
  policy: 'standard',
  access: 'manage_integrations',
  params: IntegrationParams,
  body: Type.Object({
    active: Type.Optional(Nullable(Type.Boolean())),
    installation_id: Type.Optional(Nullable(Id)),
    ...integrationSecrets,
  }),
  success: { status: 200, description: 'The integration.', component: 'Integration' },
  errors: ['integration_not_found', 'integration_failed', 'conflict'],
  handle: async ({ app, db, params, body }) => {
    const ids = { organizationId: params.org_id, integrationId: params.integration_id }
    const now = await openIntegration(db, app.secretBox, ids)
    if (!now) throw new AppError('integration_not_found')
    const next = { ...now, installationId: body.installation_id ?? now.installationId, credentials: changed(now, body) }
    const isApp = now.appId !== null
    const isNew =
      Boolean(body.token ?? body.private_key ?? body.installation_id) || (isApp && now.installationId === null)
    const identity = isNew && (await askToConnect(() => app.remoteHosts[now.kind].identify(connectionOf(next))))
    const updated = await updateIntegration(db, app.secretBox, {
      ...ids,
      active: body.active ?? undefined,
      credentials: next.credentials,
      ...(identity && { ...identity, bot: identity.bot ?? undefined }),
    })
    return presentIntegration(updated, app.publicUrl)
  },
})

type Given = {
  token?: string | null
  private_key?: string | null
  webhook_secret?: string | null
}

function changed(now: OpenIntegration, options: Given): Credentials {
  const { token, privateKey, webhookSecrets } = now.credentials
  if ((token === undefined && options.token) || (privateKey === undefined && options.private_key)) {
    throw new AppError('conflict', {
      message: 'An integration cannot change between a GitHub App and a token. Create another integration.',
    })
  }
  return {
    ...(token !== undefined && { token: options.token ?? token }),
    ...(privateKey !== undefined && { privateKey: options.private_key ?? privateKey }),
    webhookSecrets: options.webhook_secret ? [options.webhook_secret, ...webhookSecrets].slice(0, 2) : webhookSecrets,
  }
}
