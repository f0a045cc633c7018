import { pullSettingsOf } from '#domain/repos/pull-settings.ts'
import { gitUrl, sshGitUrl, type Repo } from '#domain/repos/repo.ts'
import type { HttpApp } from '#http/pipeline/deps.ts'
import type { Components } from '#http/schemas/index.ts'
import { presentPullSettings } from './present-pull-settings.ts'

export function presentRepo(
  repo: Repo,
  { publicUrl, sshUrl }: Pick<HttpApp, 'publicUrl' | 'sshUrl'>,
): Components['Repository'] {
  const isLocal = repo.host === 'local'
  return {
    id: repo.id,
    name: repo.name.split('/').at(-1) ?? repo.name,
    full_name: isLocal ? `${repo.organizationId}/${repo.name}` : repo.name,
    description: repo.description,
    github_id: repo.host === 'github' ? (repo.hostRepoId ?? '') : '',
    organization_id: repo.organizationId,
    visibility: repo.visibility,
    archived: repo.archived,
    setup_status: repo.setupStatus,
    language: repo.language,
    host: repo.host,
    integration_id: repo.integrationId,
    is_connected: repo.isConnected,
    url: repo.url,
    default_branch: repo.defaultBranch,
    setup_commands: repo.setupCommands,
    setup_required: repo.setupRequired,
    accept_setup_commands: repo.acceptSetupCommands,
    review_pulls: repo.reviewPulls,
    watched_branches: repo.watchedBranches,
    pull_settings: presentPullSettings(pullSettingsOf(repo)),
    branch_rules: repo.branchRules.map((rule) => ({
      pattern: rule.pattern,
      require_pull: rule.requirePull,
      required_checks: rule.requiredChecks,
      required_approvals: rule.requiredApprovals,
      allow_force_push: rule.allowForcePush,
    })),
    check_commands: repo.checkCommands,
    paths: repo.paths,
    git_url: gitUrl(publicUrl, repo),
    ssh_url: isLocal && sshUrl !== null ? sshGitUrl(sshUrl, repo) : null,
    default_models: repo.defaultModels,
    default_effort: repo.defaultEffort,
    default_engine: repo.defaultEngine,
    environment_secrets: repo.environmentSecrets,
    labels: repo.labels,
  }
}
