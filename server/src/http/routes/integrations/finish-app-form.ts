import { Type } from 'typebox'
import { AppError } from '#base/errors.ts'
import { openAppForm } from '#http/input/app-form.ts'
import { createIntegration } from '#domain/hosts/integrations/create-integration.ts'
import { askToConnect } from '#http/input/ask-to-connect.ts'
import { presentIntegration } from '#http/present/present-integration.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { OrganizationParams, Text } from '#http/schemas/fields.ts'

export const finishAppFormRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/integrations/app-forms/finish`,
  operationId: 'finishAppForm',
  tag: 'Organizations',
  summary: 'Finish creating a GitHub App and connect it',
  description:
    "Only the user who started the form can finish it, once, and within an hour. The integration's `problem` says where to install the App. Its repositories are listed after that.",
  policy: 'standard',
  access: 'manage_integrations',
  params: OrganizationParams,
  body: Type.Object({
    form_code: Text(200, { description: 'The `code` from GitHub.' }),
    form_state: Text(2_000, { description: 'The `state` from GitHub.' }),
  }),
  success: { status: 201, description: 'The integration.', component: 'Integration' },
  errors: ['integration_failed', 'conflict'],
  isLong: true,
  handle: async ({ app, db, keep, params, body, caller }) => {
    const ids = { organizationId: params.org_id, userId: caller.userId }
    const form = openAppForm(app.secretBox, { ...ids, state: body.form_state, now: app.clock.now() })
    if (!form) throw new AppError('integration_failed', { message: 'This form was not started by you or has expired.' })
    const { baseUrl, key } = form
    const made = await askToConnect(() =>
      app.remoteHosts.github.appForms.finish({ organizationId: params.org_id, baseUrl, code: body.form_code }),
    )
    const integration = await createIntegration(db, app.secretBox, {
      ...ids,
      kind: 'github',
      baseUrl,
      appId: made.appId,
      installationId: null,
      account: null,
      bot: null,
      credentials: { privateKey: made.privateKey, webhookSecrets: made.webhookSecret ? [made.webhookSecret] : [] },
      key,
      problem: made.problem,
      recorded: (tx, integration) => keep(tx, presentIntegration(integration, app.publicUrl)),
    })
    return presentIntegration(integration, app.publicUrl)
  },
})
