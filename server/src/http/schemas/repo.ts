import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { CheckCommands } from './check.ts'
import { DefaultModels, Id, Labels, Nullable, PageOf, Text } from './fields.ts'
import { ReviewTime, WatchedBranches } from './review.ts'
import { SecretName } from './secret.ts'

export const SetupCommands = Text(limits.setupCommandsCharactersMax, {
  description: 'What prepares its work tree, for bash.',
})
export const SetupRequired = Type.Boolean({
  description: 'Whether its runs fail where the setup fails, or go on without it.',
})
export const AcceptSetupCommands = Type.Boolean({
  description:
    'Whether commands that a run has found, and a test that passes, count without a person’s word; as the organization says where it is not set.',
})
export const EnvironmentSecrets = Type.Array(SecretName, {
  maxItems: 2 * limits.secretsMax,
  description:
    'Names of secrets that every command of its runs has in its environment. The others are asked for by name.',
})

const RepoBody = Type.Object(
  {
    id: Id,
    name: Type.String(),
    full_name: Type.String(),
    description: Nullable(Type.String()),
    github_id: Type.String(),
    organization_id: Id,
    visibility: Type.String(),
    archived: Type.Boolean(),
    setup_status: Type.String({
      description: '`generating`, `proposed`, `accepted`, `outdated`, `failed`; empty: nobody has looked for any.',
    }),
    language: Nullable(Type.String()),
    host: Type.String({ description: 'The code host, such as "local" for the built-in one.' }),
    integration_id: Nullable({ ...Id, description: 'By which its host is connected.' }),
    is_connected: Type.Boolean({
      description: 'False where its host is not connected any more: nothing is done there.',
    }),
    url: Nullable(Type.String({ description: 'Where people find it on another host.' })),
    default_branch: Type.String(),
    setup_commands: Nullable(SetupCommands),
    setup_required: SetupRequired,
    accept_setup_commands: Nullable(AcceptSetupCommands),
    review_pulls: Nullable(ReviewTime),
    watched_branches: WatchedBranches,
    check_commands: CheckCommands,
    git_url: Type.String({ description: 'Where git works, with a token as password.' }),
    default_models: DefaultModels,
    environment_secrets: EnvironmentSecrets,
    labels: Labels,
  },
  { $id: 'Repository', title: 'Repository' },
)

export const repoComponents = [RepoBody, PageOf('Repository')]
