import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { sealAppForm } from '#http/input/app-form.ts'
import { keepFormTarget } from '#http/pipeline/form-target.ts'
import { generateIntegrationKey } from '#domain/hosts/integrations/create-integration.ts'
import { getOrganization } from '#domain/accounts/organizations/get-organization.ts'
import { webhookUrl } from '#domain/hosts/integrations/webhook-url.ts'
import { readBaseUrl } from '#http/input/read-base-url.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Nullable, OrganizationParams, Text } from '#http/schemas/fields.ts'

export const createAppFormRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/integrations/app-forms`,
  operationId: 'createAppForm',
  tag: 'Organizations',
  summary: 'Start creating a GitHub App for the organization',
  description:
    'The browser posts the `manifest` to `url`. GitHub creates the App and redirects the browser to `return_url` with `code` and `state`. Send both to `…/app-forms/finish`.',
  policy: 'standard',
  access: 'manage_integrations',
  params: OrganizationParams,
  body: Type.Object({
    return_url: Type.Optional(Nullable(Text(500, { description: 'The page to return to. Defaults to the web UI.' }))),
    base_url: Type.Optional(Nullable(Text(500, { description: 'For GitHub Enterprise.' }))),
    account: Type.Optional(
      Nullable(
        Text(100, {
          description: "The GitHub organization that will own the App. Defaults to the person's own account.",
        }),
      ),
    ),
  }),
  success: { status: 201, description: 'The form.', component: 'AppForm' },
  isPlain: true,
  handle: async ({ app, db, params, body, caller, reply }) => {
    const { name } = await getOrganization(db, { organizationId: params.org_id })
    const endsAtMs = app.clock.now().getTime() + limits.appFormMs
    const baseUrl = readBaseUrl(body.base_url)
    const form = {
      organizationId: params.org_id,
      userId: caller.userId,
      key: generateIntegrationKey(),
      baseUrl,
      endsAtMs,
    }
    const begun = app.remoteHosts.github.appForms.begin({
      baseUrl,
      account: body.account ?? null,
      name: `Runwright ${name}`,
      ourUrl: app.publicUrl,
      returnUrl: body.return_url ?? app.publicUrl,
      webhookUrl: webhookUrl(app.publicUrl, form),
      state: sealAppForm(app.secretBox, form),
    })
    // A page posts only to where its policy lets it; the next one of this browser may post there.
    if (caller.kind === 'session' && baseUrl !== null) keepFormTarget(reply, app, new URL(begun.url))
    return { ...begun, expires_at: new Date(endsAtMs).toISOString() }
  },
})
