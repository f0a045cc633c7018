import { Type } from 'typebox'
import type { HostCredentials } from '#adapters/codehosts/remote-host.ts'
import { AppError } from '#base/errors.ts'
import { createIntegration } from '#domain/hosts/integrations/create-integration.ts'
import { integrationKinds } from '#domain/hosts/integrations/integration.ts'
import { askToConnect } from '#http/input/ask-to-connect.ts'
import { presentIntegration } from '#http/present/present-integration.ts'
import { readBaseUrl } from '#http/input/read-base-url.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id, Nullable, OrganizationParams, Text, Word } from '#http/schemas/fields.ts'
import { integrationSecrets } from '#http/schemas/integration.ts'

export const createIntegrationRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/integrations`,
  operationId: 'createIntegration',
  tag: 'Organizations',
  summary: 'Connect a code host',
  description:
    'Connect with a personal access token (`token`) or a GitHub App (`app_id` and `private_key`). If the App has exactly one installation, `installation_id` is found automatically. Its repositories are listed soon after.',
  policy: 'standard',
  access: 'manage_integrations',
  params: OrganizationParams,
  body: Type.Object({
    type: Word(integrationKinds),
    base_url: Type.Optional(
      Nullable(Text(500, { description: 'For GitHub Enterprise, such as `https://github.example.com/api/v3`.' })),
    ),
    app_id: Type.Optional(Nullable(Id)),
    installation_id: Type.Optional(Nullable(Id)),
    ...integrationSecrets,
  }),
  success: { status: 201, description: 'The integration.', component: 'Integration' },
  errors: ['integration_failed', 'conflict'],
  isLong: true,
  handle: async ({ app, db, keep, params, body, caller }) => {
    const credentials = credentialsOf(body)
    const { org_id: organizationId } = params
    const baseUrl = readBaseUrl(body.base_url)
    const access = { organizationId, baseUrl, installationId: body.installation_id ?? null, credentials }
    const identity = await askToConnect(() => app.remoteHosts[body.type].identify(access))
    const made = await createIntegration(db, app.secretBox, {
      organizationId,
      kind: body.type,
      baseUrl: access.baseUrl,
      appId: 'appId' in credentials ? credentials.appId : null,
      ...identity,
      credentials: {
        ...('token' in credentials ? { token: credentials.token } : { privateKey: credentials.privateKey }),
        webhookSecrets: body.webhook_secret ? [body.webhook_secret] : [],
      },
      userId: caller.userId,
      recorded: (tx, integration) => keep(tx, presentIntegration(integration, app.publicUrl)),
    })
    return presentIntegration(made, app.publicUrl)
  },
})

type Given = { token?: string | null; app_id?: number | null; private_key?: string | null }

function credentialsOf({ token, app_id: appId, private_key: privateKey }: Given): HostCredentials {
  if (token && !appId && !privateKey) return { token }
  if (!token && appId && privateKey) return { appId, privateKey }
  const msg = 'is required, or else both app_id and private_key'
  const detail = [{ loc: ['body', 'token'], msg, type: 'required' }]
  throw new AppError('invalid_request', { message: `token ${msg}.`, detail })
}
