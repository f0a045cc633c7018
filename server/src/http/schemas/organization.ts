import { Type, type Static } from 'typebox'
import { roles } from '#domain/organizations/roles.ts'
import { AnyObject, Component, Id, Nullable, PageOf, Time, Word } from './fields.ts'

const OrganizationBody = Type.Object(
  {
    id: Id,
    name: Type.String(),
    settings: Type.Object({ enable_pr_creation: Type.Boolean(), enable_rules_detection: Type.Boolean() }),
  },
  { $id: 'Organization', title: 'Organization' },
)

const UserBody = Type.Object(
  {
    id: Id,
    email: Nullable(Type.String()),
    github_user_id: Type.String(),
    github_username: Type.String(),
    avatar_url: Nullable(Type.String()),
    full_name: Nullable(Type.String()),
    role: Word(roles),
    is_admin: Type.Boolean({ description: 'Whether its role in the organization is ADMIN.' }),
  },
  { $id: 'User', title: 'User' },
)

const TokenBody = Type.Object(
  {
    id: Id,
    name: Nullable(Type.String()),
    user_id: Id,
    prefix: Type.String({ description: 'How the secret begins.' }),
    last4: Type.String({ description: 'How the secret ends.' }),
    created_at: Time,
    last_used_at: Nullable(Time),
    expires_at: Nullable(Time),
  },
  { $id: 'Token', title: 'Token' },
)

const NewTokenBody = Type.Object(
  {
    ...TokenBody.properties,
    token: Type.String({ description: 'The secret. It is in this answer and nowhere else.' }),
  },
  { $id: 'NewToken', title: 'NewToken' },
)

const IntegrationBody = Type.Object(
  {
    integration_type: Type.String(),
    active: Type.Boolean(),
    token_id: Nullable(Id),
    installation_id: Nullable(Id),
    metadata: AnyObject(),
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

export const organizationComponents = [
  OrganizationBody,
  PageOf('Organization'),
  UserBody,
  PageOf('User'),
  TokenBody,
  PageOf('Token'),
  NewTokenBody,
  IntegrationBody,
  IntegrationsBody,
]
