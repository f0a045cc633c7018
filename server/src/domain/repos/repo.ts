import type { Effort } from '#base/models/effort.ts'
import type { BranchRule } from './branch-rule.ts'
import type { CheckCommand } from './environment.ts'
import type { PullSettings } from './pull-settings.ts'
import type { ReviewTime } from '#domain/accounts/organizations/review-time.ts'
import { trimTrailing } from '#base/text/trim-trailing.ts'

/** A repository, on whichever host it lives. */
export type Repo = {
  organizationId: number
  id: number
  /** `local` for the built-in host. */
  host: string
  /** Null on the built-in host, and where the repository's host is not connected any more. */
  integrationId: number | null
  /** Whether its host can be worked with now: always on the built-in one. */
  isConnected: boolean
  /** The other host's own, which survives renames. */
  hostRepoId: string | null
  /** Where people find it on another host. */
  url: string | null
  /** Of another host with its owner, as `acme/web`. */
  name: string
  description: string | null
  /** The host's own key. */
  path: string
  defaultBranch: string
  visibility: string
  archived: boolean
  language: string | null
  /** What prepares its work tree, for `bash`. */
  setupCommands: string | null
  /** Whether its runs fail where that does, or go on without. */
  setupRequired: boolean
  /** Whether setup commands that a run has found count without a person's word; null: as the organization's setting says. */
  acceptSetupCommands: boolean | null
  /** `generating`, `proposed`, `accepted`, `outdated`, `failed`; empty: nobody has looked for any. */
  setupStatus: string
  /** What tells whether a commit is good; run on the built-in host. */
  checkCommands: CheckCommand[]
  /** To which folders work trees are limited; with none, they are not. */
  paths: string[]
  /** For runs that name no model; with none, the organization's count. */
  defaultModels: string[]
  defaultEffort: Effort | null
  /** For runs that name no engine; null: the service chooses. */
  defaultEngine: string | null
  /** When agents review its pull requests by themselves; null: as the organization's setting says. */
  reviewPulls: ReviewTime | null
  /** On which agents look at what people push. */
  watchedBranches: string[]
  pullSettings: Partial<PullSettings>
  /** Of the built-in host; another has its own. */
  branchRules: BranchRule[]
  /** Names of secrets that all commands of its runs' engines have in their environment. */
  environmentSecrets: string[]
  importedFrom: string | null
  /** Workers that have all of these may take its runs; with none, the organization's count. */
  labels: string[]
  createdAt: Date
}

/** What a statement selects to get a `Repo`. */
export const repoColumns = `organization_id, id, host, integration_id, is_repo_connected(organization_id, host, integration_id) as "isConnected",
  host_repo_id, url, name, description, path,
  default_branch, visibility, archived, language, setup_commands, setup_required,
  accept_setup_commands, setup_status(organization_id, id) as "setupStatus", check_commands, paths,
  review_pulls, watched_branches, pull_settings, branch_rules,
  default_models, default_effort, default_engine, environment_secrets,
  imported_from, labels, created_at`

/** Where git works with a token as password. */
export function gitUrl(publicUrl: string, repo: { organizationId: number; name: string }): string {
  return `${trimTrailing(publicUrl, '/')}/git/${repo.organizationId}/${repo.name}.git`
}

/** Where git works with a deploy key. */
export function sshGitUrl(sshUrl: string, repo: { organizationId: number; name: string }): string {
  return `${sshUrl}/${repo.organizationId}/${repo.name}.git`
}

/** A name is part of an address and of file names, and must mean the same on every system. */
export function isRepoName(name: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(name) && !name.includes('..') && !/\.(git|lock)$/i.test(name)
}
