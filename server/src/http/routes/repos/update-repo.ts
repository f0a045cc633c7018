import { Type } from 'typebox'
import { updateRepo } from '#domain/repos/repos/update-repo.ts'
import { chooseEngine } from '#http/input/choose-engine.ts'
import { readBranchRules } from '#http/input/read-branch-rules.ts'
import { readPaths } from '#http/input/read-paths.ts'
import { readPullSettings } from '#http/input/read-pull-settings.ts'
import { presentRepo } from '#http/present/present-repo.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { BranchRules } from '#http/schemas/branch-rule.ts'
import { CheckCommands } from '#http/schemas/check.ts'
import { DefaultEffort, DefaultModels, Id, Labels, Nullable } from '#http/schemas/fields.ts'
import {
  AcceptSetupCommands,
  DefaultEngine,
  EnvironmentSecrets,
  SetupCommands,
  SetupRequired,
  WorkPaths,
} from '#http/schemas/repo.ts'
import { PullSettingsChanges } from '#http/schemas/pull-settings.ts'
import { ReviewTime, WatchedBranches } from '#http/schemas/review.ts'

export const updateRepoRoute = defineRoute({
  method: 'PATCH',
  path: `${organizationPath}/repos/:repo_id`,
  operationId: 'updateRepo',
  tag: 'Repositories',
  summary: 'Update a repository',
  description:
    'Omitted fields are left unchanged. So are fields set to null, except `description`, `setup_commands`, and `default_engine`, which null removes.',
  policy: 'standard',
  access: 'manage_repos',
  params: Type.Object({ org_id: Id, repo_id: Id }),
  body: Type.Object({
    description: Type.Optional(Nullable(Type.String({ maxLength: 1_000 }))),
    archived: Type.Optional(Nullable(Type.Boolean())),
    labels: Type.Optional(Nullable(Labels)),
    setup_commands: Type.Optional(Nullable(SetupCommands)),
    setup_required: Type.Optional(Nullable(SetupRequired)),
    accept_setup_commands: Type.Optional(Nullable(AcceptSetupCommands)),
    review_pulls: Type.Optional(Nullable(ReviewTime)),
    watched_branches: Type.Optional(Nullable(WatchedBranches)),
    pull_settings: Type.Optional(Nullable(PullSettingsChanges)),
    branch_rules: Type.Optional(Nullable(BranchRules)),
    check_commands: Type.Optional(Nullable(CheckCommands)),
    paths: Type.Optional(Nullable(WorkPaths)),
    default_models: Type.Optional(Nullable(DefaultModels)),
    default_effort: Type.Optional(DefaultEffort),
    default_engine: Type.Optional(Nullable(DefaultEngine)),
    environment_secrets: Type.Optional(Nullable(EnvironmentSecrets)),
  }),
  success: { status: 200, description: 'The repository.', component: 'Repository' },
  errors: ['repo_not_found', 'engine_unavailable'],
  handle: async ({ app, db, params, body }) => {
    const updated = await updateRepo(db, {
      organizationId: params.org_id,
      repoId: params.repo_id,
      description: body.description,
      archived: body.archived ?? undefined,
      labels: body.labels ?? undefined,
      setupCommands: body.setup_commands,
      setupRequired: body.setup_required ?? undefined,
      acceptSetupCommands: body.accept_setup_commands ?? undefined,
      reviewPulls: body.review_pulls ?? undefined,
      watchedBranches: body.watched_branches ?? undefined,
      pullSettings: body.pull_settings ? readPullSettings(body.pull_settings) : undefined,
      branchRules: body.branch_rules ? readBranchRules(body.branch_rules) : undefined,
      checkCommands: body.check_commands ?? undefined,
      paths: body.paths ? readPaths(body.paths) : undefined,
      defaultModels: body.default_models ?? undefined,
      defaultEffort: body.default_effort,
      defaultEngine: body.default_engine
        ? await chooseEngine(app, db, { organizationId: params.org_id, request: body.default_engine })
        : body.default_engine,
      environmentSecrets: body.environment_secrets ?? undefined,
    })
    return presentRepo(updated, app)
  },
})
