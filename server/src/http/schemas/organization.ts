import { Type } from 'typebox'
import { deletedParts, type DeletedPart } from '#base/deleted-part.ts'
import { deletionLimits } from '#base/deletion-limits.ts'
import { roles, scopes } from '#domain/accounts/users/roles.ts'
import { Component, DefaultEffort, DefaultModels, Id, Labels, Nullable, PageOf, Time, Word } from './fields.ts'
import { ReviewTime } from './review.ts'
import { SandboxRequire } from './sandbox.ts'

export const AgentName = Type.String({
  maxLength: 39,
  pattern: '^[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*$',
  description: 'The name people use to mention the agent on code hosts, without the `@`.',
})
export const TriggerLabel = Type.String({
  maxLength: 100,
  description: 'Adding this label to an issue assigns the issue to the agent. Empty: no label does.',
})

const days = { minimum: 1, maximum: deletionLimits.daysMax }
const about: Record<DeletedPart, string> = {
  runs: 'The runs themselves, with everything below.',
  logs: 'Logs, what sandboxes printed, and the steps from which a run continues.',
  artifacts: 'Files that runs left.',
  egress: 'Network requests of sandboxes.',
  model_calls: 'The single model calls. Their sums stay in usage and budgets.',
  repositories: 'The repositories of runs without a repository.',
}
const daysOf = (part: DeletedPart) => Nullable(Type.Integer({ ...days, description: about[part] }))
const partsOf = <Field>(field: (part: DeletedPart) => Field) =>
  Object.fromEntries(deletedParts.map((part) => [part, field(part)])) as Record<DeletedPart, Field>

const retentionText =
  'How many days each part of a run is kept after the run ended; null: until the run is deleted. A run whose log or repository was deleted cannot continue.'
export const Retention = Type.Object(partsOf(daysOf), { description: retentionText })
export const NewRetention = Type.Object(
  partsOf((part) => Type.Optional(daysOf(part))),
  { description: `${retentionText} Fields that are omitted are left unchanged.` },
)

export const ArchiveLogsAfterDays = Nullable(
  Type.Integer({
    ...days,
    description:
      "How many days after its end a run's log moves from the database to the blob store, where it takes less space. It reads the same. Null: never.",
  }),
)

const OrganizationBody = Component('Organization', {
  id: Id,
  name: Type.String(),
  settings: Type.Object({
    enable_pr_creation: Type.Boolean(),
    enable_rules_detection: Type.Boolean({
      description:
        'Whether the built-in agent is given the rule files of a repository (`AGENTS.md`, `CLAUDE.md` and others).',
    }),
    sandbox_require: SandboxRequire,
    agent_name: AgentName,
    trigger_label: TriggerLabel,
    accept_setup_commands: Type.Boolean(),
    review_pulls: ReviewTime,
    enable_review_approval: Type.Boolean({
      description: 'Whether agents may approve pull requests written by people.',
    }),
    require_mentions: Type.Boolean({
      description: 'If true, the agent sees comments on its own pull requests only when they mention it.',
    }),
    own_workers_only: Type.Boolean({
      description:
        'Whether runs and checks of the organization go only to workers with its own worker tokens. Until one is free, they wait.',
    }),
    retention: Retention,
    archive_logs_after_days: ArchiveLogsAfterDays,
  }),
  limits: Type.Object({
    max_running: Type.Integer({ minimum: 1, description: 'Maximum number of runs in progress at the same time.' }),
    storage_bytes_max: Type.Integer({ minimum: 0, description: 'Storage limit in bytes.' }),
  }),
  labels: Labels,
  default_models: DefaultModels,
  default_effort: DefaultEffort,
})

const UserBody = Component('User', {
  id: Id,
  email: Nullable(Type.String()),
  github_user_id: Type.String(),
  github_username: Type.String(),
  avatar_url: Nullable(Type.String()),
  full_name: Nullable(Type.String()),
  kind: Word(['person', 'service']),
  role: Word(roles),
  is_admin: Type.Boolean({ description: "Whether the user's role in the organization is `ADMIN`." }),
})

const MeBody = Component('Me', {
  ...UserBody.properties,
  user_custom_prompt: Nullable(
    Type.String({ description: 'Instructions that your agents get in addition to each prompt.' }),
  ),
})

const RulesBody = Component('Rules', {
  rules: Nullable(Type.String({ description: 'Instructions that agents get in addition to each prompt.' })),
})

const ClientRulesBody = Component('ClientRules', {
  organization_rules: Nullable(Type.String()),
  user_custom_prompt: Nullable(Type.String()),
})

const TokenBody = Component('Token', {
  id: Id,
  name: Nullable(Type.String()),
  user_id: Id,
  prefix: Type.String({ description: 'The first characters of the secret.' }),
  last4: Type.String({ description: 'The last four characters of the secret.' }),
  scopes: Type.Array(Word(scopes), { description: 'Scopes of the token: `read`, `run`, `manage`, `admin`.' }),
  created_at: Time,
  last_used_at: Nullable(Time),
  expires_at: Nullable(Time),
})

const NewTokenBody = Component('NewToken', {
  ...TokenBody.properties,
  token: Nullable(
    Type.String({
      description: 'The secret. It is shown only in this response, and is null when the response is replayed.',
    }),
  ),
})

export const organizationComponents = [
  OrganizationBody,
  PageOf(OrganizationBody),
  UserBody,
  PageOf(UserBody),
  MeBody,
  RulesBody,
  ClientRulesBody,
  TokenBody,
  PageOf(TokenBody),
  NewTokenBody,
]
