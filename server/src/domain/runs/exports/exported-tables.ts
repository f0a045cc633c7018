/** What an export is of. */
export type ExportKind = 'run' | 'repo' | 'organization' | 'user'

/** Rows of a table: those of organization $1 which the condition names; $2 is the run, the repository or the person. */
export type ExportedRows = {
  where: string
  /** By which rows are told apart and read in order; that of the table when not given. */
  key?: string
  /** Those of the table when not given. */
  columns?: string
  /** Rows that belong to no organization: read once, with $1 null. */
  isAlone?: boolean
}

export type ExportedTable = {
  key: string
  /** What is written of a row, under these names. A column that is not here is named in `left-out-tables.ts`, with the reason. */
  columns: string
  /** Its rows may hold megabytes. */
  isLarge?: boolean
  /** Its rows hold texts that were stored as they came: secrets are taken out of them. Which column has the run. */
  masked?: 'id' | 'run_id'
} & Partial<Record<ExportKind, ExportedRows[]>>

const inOrganization = 't.organization_id = $1'
const only = (where = 'true', more: Omit<ExportedRows, 'where'> = {}): ExportedRows[] => [
  { where: `${inOrganization} and ${where}`, ...more },
]

/** A run without a head was deleted, though rows of it may be there for a while. */
const runLives = (id = 't.run_id') =>
  `exists (select from run_heads h where h.organization_id = t.organization_id and h.run_id = ${id})`
const repoLives = (id = 't.repo_id') =>
  `exists (select from repos p where p.organization_id = t.organization_id and p.id = ${id} and p.removed_at is null)`
/** The logs of a run are deleted by retention, and their rows may be there for a while. */
const logLives = (id = 't.run_id') =>
  `not exists (select from deletions d where d.organization_id = t.organization_id and d.run_id = ${id} and d.part = 'logs')`

const ofRuns = (condition = 'true'): Partial<ExportedTable> => ({
  run: only(`t.run_id = $2 and ${runLives()} and ${condition}`),
  organization: only(`${runLives()} and ${condition}`),
})
const ofRepos: Partial<ExportedTable> = {
  repo: only(`t.repo_id = $2 and ${repoLives()}`),
  organization: only(repoLives()),
}
/** Of the organization itself where they name no repository. */
const ofReposOrAll: Partial<ExportedTable> = {
  repo: ofRepos.repo!,
  organization: only(`(t.repo_id is null or ${repoLives()})`),
}
/** Below rows that are of a repository. */
const below = (table: string, column: string): Partial<ExportedTable> => {
  const owner = `select from ${table} o where o.organization_id = t.organization_id and o.id = t.${column} and ${repoLives('o.repo_id')}`
  return { repo: only(`exists (${owner} and o.repo_id = $2)`), organization: only(`exists (${owner})`) }
}
const byUser = (column = 'user_id', condition = 'true', columns?: string) =>
  only(`t.${column} = $2 and ${condition}`, columns ? { columns } : {})

const ofSandbox = (condition: string) =>
  `exists (select from sandboxes s where s.organization_id = t.organization_id and s.id = t.sandbox_id and ${condition})`
const sandboxLives = `(s.run_id is null or ${runLives('s.run_id')} and ${logLives('s.run_id')})`

/** Those of runs, and those of checks, each in the order of an index. */
const ofEgress = (n: string): Partial<ExportedTable> => ({
  run: only(`t.run_id = $2 and ${runLives()}`),
  organization: [
    ...only(`t.run_id is not null and ${runLives()}`),
    ...only(`t.run_id is null`, { key: `sandbox_id${n}` }),
  ],
})

const ownTokens = `t.kind = 'token' and t.user_id = $2`

const runTables: Readonly<Record<string, ExportedTable>> = {
  runs: {
    key: 'id',
    columns:
      'organization_id, id, user_id, repo_id, parent_run_id, root_run_id, source_type, agent_type, model, model_used, effort, max_model_calls, prompt, metadata, title, base_branch, base_commit, branch, branch_commit, pull_id, create_pull_request, timeout_minutes, max_cost_usd, plan_approval, paths, output_schema, task, environment, result, summary, result_json, error, created_at, started_at, finished_at, archived_at, deleted_parts',
    run: only(`t.id = $2 and ${runLives('t.id')}`),
    organization: only(runLives('t.id')),
    user: byUser(
      'user_id',
      runLives('t.id'),
      'organization_id, id, repo_id, source_type, agent_type, model, prompt, metadata, created_at, started_at, finished_at',
    ),
    isLarge: true,
    masked: 'id',
  },
  run_heads: {
    key: 'run_id',
    columns:
      'organization_id, run_id, status, status_detail, turn, turn_started_at, priority, labels, log_bytes, input_tokens, cache_read_tokens, output_tokens, cost_usd, host_wait, run_wait, queued_at, updated_at',
    ...ofRuns(),
  },
  deleted_runs: {
    key: 'run_id',
    columns: 'organization_id, run_id, deleted_at, parent_run_id, root_run_id, repo_id, max_cost_usd, cost_usd',
    organization: only(),
  },
  messages: {
    key: 'run_id, n',
    columns: 'organization_id, run_id, n, turn, body, author_id, images, created_at',
    ...ofRuns(),
    user: byUser('author_id', runLives()),
    isLarge: true,
    masked: 'run_id',
  },
  questions: {
    key: 'run_id, n',
    columns: 'organization_id, run_id, n, turn, kind, text, options, answer, answered_by, created_at, answered_at',
    ...ofRuns(),
    user: byUser('answered_by', runLives(), 'organization_id, run_id, n, turn, answer, answered_by, answered_at'),
    masked: 'run_id',
  },
  steps: {
    key: 'run_id, step',
    columns:
      'organization_id, run_id, step, turn, key, kind, state, tries, request, response, input_tokens, output_tokens, cost_usd, started_at, finished_at, seq',
    ...ofRuns(logLives()),
    isLarge: true,
    masked: 'run_id',
  },
  log_entries: {
    key: 'run_id, seq',
    columns: 'organization_id, run_id, seq, created_at, message_type, body',
    ...ofRuns(logLives()),
  },
  artifacts: {
    key: 'run_id, name',
    columns: 'organization_id, run_id, name, sha256, content_type, turn, created_at',
    ...ofRuns(),
  },
  model_calls: {
    key: 'run_id, key',
    columns:
      'organization_id, run_id, key, turn, day, model, input_tokens, cache_read_tokens, cache_write_tokens, output_tokens, cost_usd, price_source, is_estimated, began_at, ended_at',
    ...ofRuns(),
  },
  effects: {
    key: 'run_id, key',
    columns: 'organization_id, run_id, key, kind, state, request, result, created_at, settled_at',
    ...ofRuns(),
    masked: 'run_id',
  },
  sandboxes: {
    key: 'id',
    columns:
      'organization_id, id, run_id, check_id, provider, worker, enforcement, egress, started_at, ended_at, end_reason',
    run: only(`t.run_id = $2 and ${runLives()}`),
    organization: only(`(t.run_id is null or ${runLives()})`),
  },
  sandbox_logs: {
    key: 'sandbox_id, n',
    columns: 'organization_id, sandbox_id, n, command, started_at, duration_ms, exit_code, reason, output, cut_bytes',
    run: only(ofSandbox(`s.run_id = $2 and ${sandboxLives}`)),
    organization: only(ofSandbox(sandboxLives)),
    isLarge: true,
  },
  egress_counts: {
    key: 'run_id',
    columns: 'organization_id, run_id, sandbox_id, asked, refused',
    ...ofEgress(''),
  },
  egress_requests: {
    key: 'run_id, n',
    columns: 'organization_id, run_id, sandbox_id, n, at, name, port, allowed, reason, sent_bytes, received_bytes',
    ...ofEgress(', n'),
  },
}

/** In the order of archives. Each table of the schema is here or in `left-out-tables.ts`; a test compares. */
export const exportedTables: Readonly<Record<string, ExportedTable>> = {
  organizations: {
    key: 'id',
    columns:
      'id, name, settings, rules, labels, egress_allow, egress_presets, egress_from_file, default_models, default_effort, agent_id, storage_granted, storage_max, created_at',
    organization: [{ where: 't.id = $1 and t.deleted_at is null' }],
  },
  users: {
    key: 'id',
    columns: 'id, email, full_name, avatar_url, kind, created_at',
    organization: [{ where: 'exists (select from memberships m where m.organization_id = $1 and m.user_id = t.id)' }],
    user: [
      {
        where: '$1::bigint is null and t.id = $2 and t.deleted_at is null',
        columns: 'id, email, full_name, avatar_url, kind, is_admin, custom_prompt, created_at',
        isAlone: true,
      },
    ],
  },
  memberships: {
    key: 'user_id',
    columns: 'organization_id, user_id, role, created_at',
    organization: only(),
    user: byUser(),
  },
  identities: {
    key: 'issuer, subject',
    columns: 'issuer, subject, user_id, created_at',
    user: [{ where: '$1::bigint is null and t.user_id = $2', isAlone: true }],
  },
  sessions: {
    key: `encode(t.digest,'hex')`,
    columns: 'credential_id, created_at, expires_at',
    user: [
      {
        where: `$1::bigint is null and exists (select from credentials c where c.id = t.credential_id and c.user_id = $2)`,
        isAlone: true,
      },
    ],
  },
  credentials: {
    key: 'id',
    columns: 'id, organization_id, user_id, name, scopes, created_at, expires_at, last_used_at, revoked_at',
    organization: only(`t.kind = 'token'`),
    user: [
      ...only(ownTokens),
      { where: `$1::bigint is null and t.organization_id is null and ${ownTokens}`, isAlone: true },
    ],
  },
  worker_tokens: {
    key: 'id',
    columns: 'organization_id, id, name, labels, created_by, created_at, expires_at, last_used_at',
    organization: only(),
  },
  host_accounts: {
    key: 'host, host_user_id',
    columns: 'organization_id, host, host_user_id, login, user_id, created_at',
    organization: only(),
    user: byUser(),
  },
  inbox_settings: { key: 'user_id', columns: 'organization_id, user_id, muted', user: byUser() },
  views: { key: 'id', columns: 'organization_id, id, user_id, name, query', user: byUser() },
  notifications: {
    key: 'id',
    columns: 'organization_id, id, user_id, kind, run_id, pull_id, created_at, read_at',
    user: byUser(),
  },
  audit_entries: {
    key: 'id',
    columns: 'organization_id, id, at, action, user_id, credential_id, address, request_id, named, changed, status',
    organization: only(),
    user: byUser(),
  },
  budgets: {
    key: 'id',
    columns: 'organization_id, id, user_id, repo_id, period, limit_usd, created_at',
    ...ofReposOrAll,
    user: byUser(),
  },
  usage_days: {
    key: 'day, coalesce(t.user_id,0), coalesce(t.repo_id,0), agent_type, model',
    columns:
      'organization_id, day, user_id, repo_id, agent_type, model, calls, input_tokens, cache_read_tokens, output_tokens, cost_usd',
    repo: ofRepos.repo!,
    organization: only(),
    user: byUser(),
  },
  storage: {
    key: 'scope, id',
    columns: 'organization_id, scope, id, git, artifacts, checkpoints, images, logs, snapshots, bytes',
    repo: only(`t.scope = 'repo' and t.id = $2`),
    run: only(`t.scope = 'run' and t.id = $2`),
    organization: only(`t.scope = 'organization'`),
  },
  log_archiving: { key: 'organization_id', columns: 'organization_id, days', organization: only() },
  retention: { key: 'part', columns: 'organization_id, part, days', organization: only() },
  integrations: {
    key: 'id',
    columns:
      'organization_id, id, kind, active, base_url, app_id, installation_id, account, bot_id, bot_login, created_by, created_at, updated_at, problem, synced_at, halted, checks',
    organization: only(),
  },
  model_providers: {
    key: 'id',
    columns:
      'organization_id, id, name, kind, base_url, models, input_usd, output_usd, member_keys_only, created_at, updated_at, removed_at',
    organization: only(),
  },
  member_model_keys: {
    key: 'model_provider_id, user_id',
    columns: 'organization_id, model_provider_id, user_id, updated_at',
    organization: only(),
    user: byUser(),
  },
  mcp_servers: {
    key: 'id',
    columns: 'organization_id, id, repo_id, name, url, headers, command, env, enabled, created_at, updated_at',
    ...ofReposOrAll,
  },
  secrets: {
    key: 'coalesce(t.repo_id,0), name',
    columns: 'organization_id, repo_id, name, created_at, updated_at',
    ...ofReposOrAll,
  },
  repos: {
    key: 'id',
    columns:
      'organization_id, id, host, name, description, path, default_branch, visibility, archived, language, setup_commands, setup_required, accept_setup_commands, imported_from, created_at, labels, egress_allow, egress_presets, egress_from_file, default_models, default_effort, default_engine, environment_secrets, check_commands, integration_id, host_repo_id, url, review_pulls, watched_branches, pull_settings, branch_rules, paths',
    repo: only('t.id = $2 and t.removed_at is null'),
    organization: only('t.removed_at is null'),
  },
  check_settings: { key: 'repo_id', columns: 'organization_id, repo_id, settings, seen_names', ...ofRepos },
  deploy_keys: {
    key: 'id',
    columns:
      'organization_id, id, repo_id, title, public_key, fingerprint, can_push, created_by, created_at, last_used_at',
    ...ofRepos,
  },
  setup_proposals: {
    key: 'repo_id, n',
    columns:
      'organization_id, repo_id, n, run_id, turn, state, commands, test_command, notes, evidence, base_commit, lockfiles, created_at, accepted_at, accepted_by, outdated_at',
    ...ofRepos,
    run: ofRuns().run!,
  },
  snapshots: {
    key: 'repo_id, n',
    columns: 'organization_id, repo_id, n, state, base_commit, bytes, duration_ms, problem, created_at, used_at',
    ...ofRepos,
  },
  issues: {
    key: 'id',
    columns:
      'organization_id, id, repo_id, number, user_id, title, body, state, labels, is_assigned_to_agent, created_at, updated_at',
    ...ofRepos,
    user: byUser('user_id', repoLives()),
    isLarge: true,
  },
  issue_comments: {
    key: 'id',
    columns: 'organization_id, id, issue_id, user_id, body, created_at',
    ...below('issues', 'issue_id'),
    user: only(`t.user_id = $2 and ${ownerLives('issues', 'issue_id')}`),
    isLarge: true,
  },
  pulls: {
    key: 'id',
    columns:
      'organization_id, id, repo_id, number, run_id, title, body, head_branch, base_branch, head_commit, state, merged, draft, created_at, updated_at, merge_commit, merged_by, merged_at, url, author, is_from_fork, reverts, branch_deleted_at, branch_deleted_by, labels, code_owners',
    ...ofRepos,
    run: only(`t.run_id = $2 and ${runLives()}`),
    isLarge: true,
  },
  pull_comments: {
    key: 'id',
    columns:
      'organization_id, id, pull_id, user_id, review_id, reply_to, body, path, line, side, head_commit, created_at, resolved_at, resolved_by',
    ...below('pulls', 'pull_id'),
    user: only(`t.user_id = $2 and ${ownerLives('pulls', 'pull_id')}`),
    isLarge: true,
  },
  pull_reviews: {
    key: 'id',
    columns: 'organization_id, id, pull_id, user_id, run_id, verdict, body, comments, head_commit, url, created_at',
    ...below('pulls', 'pull_id'),
    run: ofRuns().run!,
    user: only(`t.user_id = $2 and t.run_id is null and ${ownerLives('pulls', 'pull_id')}`),
    isLarge: true,
  },
  pull_reviewers: {
    key: 'pull_id, user_id',
    columns: 'organization_id, pull_id, user_id, reason, pattern, requested_by, requested_at, removed_at',
    ...below('pulls', 'pull_id'),
    user: only(`t.user_id = $2 and ${ownerLives('pulls', 'pull_id')}`),
  },
  checks: {
    key: 'id',
    columns:
      'organization_id, id, repo_id, run_id, commit, branch, key, name, app, command, comparison_id, status, conclusion, exit_code, duration_ms, time_limit_ms, url, summary, log_sha256, created_at, queued_at, started_at, completed_at, attempt',
    ...ofRepos,
    run: only(`t.run_id = $2 and ${runLives()} and ${repoLives()}`),
    isLarge: true,
  },
  comparisons: {
    key: 'id',
    columns:
      'organization_id, id, user_id, repo_id, base_branch, base_commit, judges, judge_files, winner_run_id, opens_pull, problem, cancelled_at, created_at',
    ...ofReposOrAll,
    user: byUser(),
  },
  contestants: {
    key: 'comparison_id, n',
    columns: 'organization_id, comparison_id, n, run_id, name, commit, files, additions, deletions, branch_deleted_at',
    ...ofRuns(),
  },
  host_requests: {
    key: 'id',
    columns: 'organization_id, id, repo_id, subject, run_id, outcome, created_at',
    ...ofRepos,
    run: only(`t.run_id = $2 and ${runLives()} and ${repoLives()}`),
  },
  ...runTables,
}

/** Of what a person wrote below it. */
function ownerLives(table: string, column: string): string {
  return `exists (select from ${table} o where o.organization_id = t.organization_id and o.id = t.${column} and ${repoLives('o.repo_id')})`
}
