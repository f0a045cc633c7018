import { Type, type Static } from 'typebox'
import { integrationKinds } from '#domain/integrations/integration.ts'
import { AnyObject, Component, Id, Nullable, Text, Time, Word } from './fields.ts'

export const IntegrationParams = Type.Object({ org_id: Id, integration_id: Id })

/** What goes in and never comes out. */
export const integrationSecrets = {
  token: Type.Optional(Nullable(Text(2_000, { description: 'A personal access token.' }))),
  private_key: Type.Optional(Nullable(Text(10_000, { description: "An App's, as PEM." }))),
  webhook_secret: Type.Optional(
    Nullable(Text(500, { description: 'What the host signs its events with; the one before stays good.' })),
  ),
}

const IntegrationBody = Type.Object(
  {
    id: Nullable({ ...Id, description: 'Null for the built-in code host.' }),
    integration_type: Word(['local', ...integrationKinds]),
    active: Type.Boolean(),
    token_id: Nullable(Id),
    installation_id: Nullable(Id),
    metadata: AnyObject(),
    app_id: Nullable(Id),
    base_url: Nullable(Type.String({ description: "Where its API is; null: at its maker's own." })),
    account: Nullable(Type.String({ description: 'Whose repositories they are.' })),
    bot_login: Nullable(Type.String({ description: 'Who agents are there.' })),
    webhook_url: Nullable(Type.String({ description: 'Where it sends its events, signed.' })),
    problem: Nullable(Type.String({ description: 'What went wrong the last time.' })),
    synced_at: Nullable(Time),
    created_at: Nullable(Time),
  },
  { $id: 'Integration', title: 'Integration' },
)

const IntegrationsBody = Type.Object(
  {
    organization_id: Id,
    organization_name: Type.String(),
    integrations: Type.Array(Component<Static<typeof IntegrationBody>>('Integration')),
    total_active_integrations: Type.Integer({ minimum: 0 }),
  },
  { $id: 'Integrations', title: 'Integrations' },
)

const AppFormBody = Type.Object(
  {
    url: Type.String({ description: 'Where a browser posts the form to, with the field `manifest`.' }),
    manifest: Type.String({ description: 'The description of the App, as JSON.' }),
    expires_at: Time,
  },
  { $id: 'AppForm', title: 'AppForm' },
)

export const integrationComponents = [IntegrationBody, IntegrationsBody, AppFormBody]
