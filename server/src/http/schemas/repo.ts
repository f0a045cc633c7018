import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { workPathCharactersMax, workPathsMax } from '#domain/repos/work-paths.ts'
import { BranchRules } from './branch-rule.ts'
import { CheckCommands } from './check.ts'
import { Component, DefaultEffort, DefaultModels, Id, Labels, Nullable, PageOf, RefTo, Text } from './fields.ts'
import { PullSettingsBody } from './pull-settings.ts'
import { ReviewTime, WatchedBranches } from './review.ts'
import { SecretName } from './secret.ts'

export const SetupCommands = Text(limits.setupCommandsCharactersMax, {
  description: 'Bash commands that prepare the work tree.',
})
export const SetupRequired = Type.Boolean({
  description: 'If true, runs fail when the setup fails. If false, they continue without it.',
})
export const AcceptSetupCommands = Type.Boolean({
  description:
    "Whether setup commands found by a run, and a test command that passes, are accepted without approval by a person. If not set, the organization's setting applies.",
})
export const EnvironmentSecrets = Type.Array(SecretName, {
  maxItems: 2 * limits.secretsMax,
  description:
    "Names of secrets that are set in the environment of every command of the repository's runs. Other secrets must be requested by name.",
})

export const WorkPaths = Type.Array(Type.String({ minLength: 1, maxLength: workPathCharactersMax }), {
  maxItems: workPathsMax,
  description:
    'Folders, such as `services/api`. Work trees hold these, and the files next to them and above them, and nothing else. If empty, they hold everything.',
})
export const DefaultEngine = Text(100, {
  description: 'The engine of runs that do not specify one. Without it, the service chooses.',
})

const RepoBody = Component('Repository', {
  id: Id,
  name: Type.String(),
  full_name: Type.String(),
  description: Nullable(Type.String()),
  github_id: Type.String(),
  organization_id: Id,
  visibility: Type.String(),
  archived: Type.Boolean(),
  setup_status: Type.String({
    description:
      '`generating`, `proposed`, `accepted`, `outdated`, or `failed`. Empty if setup commands were never generated.',
  }),
  language: Nullable(Type.String()),
  host: Type.String({ description: 'The code host. `local` is the built-in one.' }),
  integration_id: Nullable({ ...Id, description: 'The integration that connects the code host.' }),
  is_connected: Type.Boolean({
    description:
      'False if the code host is disconnected, switched off, or does not let Runwright in, such as while a GitHub App is suspended. Nothing is done there while it is false, and new runs are refused.',
  }),
  url: Nullable(Type.String({ description: 'URL on the external code host.' })),
  default_branch: Type.String(),
  setup_commands: Nullable(SetupCommands),
  setup_required: SetupRequired,
  accept_setup_commands: Nullable(AcceptSetupCommands),
  review_pulls: Nullable(ReviewTime),
  watched_branches: WatchedBranches,
  pull_settings: RefTo(PullSettingsBody),
  branch_rules: BranchRules,
  check_commands: CheckCommands,
  paths: WorkPaths,
  git_url: Type.String({ description: 'URL for git. Use a token as the password.' }),
  ssh_url: Nullable(
    Type.String({
      description:
        'URL for git over SSH, with a deploy key. Null if the service does not have SSH turned on, or another host has the repository.',
    }),
  ),
  default_models: DefaultModels,
  default_effort: DefaultEffort,
  default_engine: Nullable(DefaultEngine),
  environment_secrets: EnvironmentSecrets,
  labels: Labels,
})

const BranchBody = Component('Branch', {
  name: Type.String(),
  commit: Type.String({ description: 'The full SHA of its head commit.' }),
  is_default: Type.Boolean(),
})

export const repoComponents = [PullSettingsBody, RepoBody, PageOf(RepoBody), BranchBody, PageOf(BranchBody)]
