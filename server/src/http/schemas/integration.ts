import { Type } from 'typebox'
import { connectionCheckNames, connectionCheckStatuses } from '#base/hosts/connection-check.ts'
import { integrationKinds } from '#domain/hosts/integrations/integration.ts'
import { AnyObject, Component, Id, Nullable, RefTo, Text, Time, Word } from './fields.ts'

export const IntegrationParams = Type.Object({ org_id: Id, integration_id: Id })

/** What goes in and never comes out. */
export const integrationSecrets = {
  token: Type.Optional(Nullable(Text(2_000, { description: 'A personal access token.' }))),
  private_key: Type.Optional(
    Nullable(Text(10_000, { description: 'The private key of the GitHub App, in PEM format.' })),
  ),
  webhook_secret: Type.Optional(
    Nullable(
      Text(500, {
        description: 'The secret that the code host signs its events with. The previous one remains valid.',
      }),
    ),
  ),
}

const IntegrationBody = Component('Integration', {
  id: Nullable({ ...Id, description: 'Null for the built-in code host.' }),
  integration_type: Word(['local', ...integrationKinds]),
  active: Type.Boolean(),
  token_id: Nullable(Id),
  installation_id: Nullable(Id),
  metadata: AnyObject(),
  app_id: Nullable(Id),
  base_url: Nullable(Type.String({ description: 'Base URL of the API. Null for the public service.' })),
  account: Nullable(Type.String({ description: 'The account that owns the repositories.' })),
  bot_login: Nullable(Type.String({ description: 'The account that agents use on the code host.' })),
  webhook_url: Nullable(Type.String({ description: 'URL to which the code host sends its signed webhook events.' })),
  problem: Nullable(Type.String({ description: 'The most recent problem with the connection.' })),
  synced_at: Nullable(Time),
  created_at: Nullable(Time),
})

const IntegrationsBody = Component('Integrations', {
  organization_id: Id,
  organization_name: Type.String(),
  integrations: Type.Array(RefTo(IntegrationBody)),
  total_active_integrations: Type.Integer({ minimum: 0 }),
})

const AppFormBody = Component('AppForm', {
  url: Type.String({ description: 'URL to which the browser posts the form, with the field `manifest`.' }),
  manifest: Type.String({ description: 'The GitHub App manifest, as JSON.' }),
  expires_at: Time,
})

const HealthCheckBody = Component('IntegrationHealthCheck', {
  name: Word(connectionCheckNames, {
    description:
      '`credentials`: the token or key is accepted. `installation`: the GitHub App is installed. `permissions`: nothing is missing. `webhooks`: the code host sends them here. `deliveries`: they arrive. `polls`: repositories are looked at for events that no webhook delivered. `jobs`: events were handled. `repositories`: they are listed.',
  }),
  status: Word(connectionCheckStatuses),
  message: Type.String({ description: 'How it stands, for people.' }),
  url: Nullable(Type.String({ description: 'The page where it can be looked at or fixed.' })),
  at: Nullable({ ...Time, description: 'When it last happened.' }),
})

const HealthBody = Component('IntegrationHealth', {
  integration: RefTo(IntegrationBody),
  status: Word(connectionCheckStatuses, { description: 'The worst status of the checks.' }),
  checks: Type.Array(RefTo(HealthCheckBody)),
})

export const integrationComponents = [IntegrationBody, IntegrationsBody, AppFormBody, HealthCheckBody, HealthBody]
