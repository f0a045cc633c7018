// Generated from openapi.json by "npm run generate". Do not edit.

export type Fault = {
  /** Where the problem is, such as `["body", "prompt"]`. */
  loc: Array<string | number>
  msg: string
  /** The kind of problem, such as `required`. */
  type: string
}

export type ErrorBody = {
  message: string
  status_code: number
  code: 'invalid_request' | 'prompt_too_long' | 'metadata_too_large' | 'import_not_allowed' | 'import_failed' | 'integration_failed' | 'model_provider_failed' | 'engine_unavailable' | 'no_logs' | 'unauthorized' | 'budget_reached' | 'forbidden' | 'route_not_found' | 'organization_not_found' | 'user_not_found' | 'run_not_found' | 'comparison_not_found' | 'verdict_not_found' | 'notification_not_found' | 'view_not_found' | 'token_not_found' | 'repo_not_found' | 'integration_not_found' | 'job_not_found' | 'setup_proposal_not_found' | 'secret_not_found' | 'issue_not_found' | 'pull_not_found' | 'comment_not_found' | 'sandbox_not_found' | 'snapshot_not_found' | 'branch_not_found' | 'file_not_found' | 'worker_token_not_found' | 'deploy_key_not_found' | 'mcp_server_not_found' | 'model_provider_not_found' | 'budget_not_found' | 'message_not_found' | 'question_not_found' | 'check_log_not_found' | 'artifact_not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'run_already_ended' | 'last_admin' | 'repo_name_taken' | 'idempotency_in_progress' | 'sandbox_too_weak' | 'merge_conflict' | 'conflict' | 'body_too_large' | 'unsupported_media_type' | 'storage_full' | 'comparison_too_large' | 'idempotency_key_reused' | 'rate_limited' | 'headers_too_large' | 'internal' | 'unavailable'
  request_id: string
  /** For invalid input: what is wrong, and where. */
  detail?: Array<Fault>
}

export type Problem = {
  type: string
  title: string
  status: number
  detail: string
  code: 'invalid_request' | 'prompt_too_long' | 'metadata_too_large' | 'import_not_allowed' | 'import_failed' | 'integration_failed' | 'model_provider_failed' | 'engine_unavailable' | 'no_logs' | 'unauthorized' | 'budget_reached' | 'forbidden' | 'route_not_found' | 'organization_not_found' | 'user_not_found' | 'run_not_found' | 'comparison_not_found' | 'verdict_not_found' | 'notification_not_found' | 'view_not_found' | 'token_not_found' | 'repo_not_found' | 'integration_not_found' | 'job_not_found' | 'setup_proposal_not_found' | 'secret_not_found' | 'issue_not_found' | 'pull_not_found' | 'comment_not_found' | 'sandbox_not_found' | 'snapshot_not_found' | 'branch_not_found' | 'file_not_found' | 'worker_token_not_found' | 'deploy_key_not_found' | 'mcp_server_not_found' | 'model_provider_not_found' | 'budget_not_found' | 'message_not_found' | 'question_not_found' | 'check_log_not_found' | 'artifact_not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'run_already_ended' | 'last_admin' | 'repo_name_taken' | 'idempotency_in_progress' | 'sandbox_too_weak' | 'merge_conflict' | 'conflict' | 'body_too_large' | 'unsupported_media_type' | 'storage_full' | 'comparison_too_large' | 'idempotency_key_reused' | 'rate_limited' | 'headers_too_large' | 'internal' | 'unavailable'
  request_id: string
  /** For invalid input: what is wrong, and where. */
  errors?: Array<Fault>
}

export type RunInput = {
  /** Base64 data URIs. Images that are no longer stored are left out. */
  images: Array<string>
  output_schema: Record<string, unknown> | null
}

export type RunPullRequest = {
  id: number
  title: string
  url: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  head_branch_name: string
  number: number
  state: 'open' | 'closed'
  merged: boolean
  /** RFC 3339 timestamp in UTC with milliseconds. */
  merged_at: string | null
}

export type AgentRun = {
  id: number
  organization_id: number
  status: 'queued' | 'in_progress' | 'waiting_for_user' | 'paused' | 'completed' | 'failed' | 'cancelled'
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  /** URL of the run in the web UI. */
  web_url: string
  /** The final answer of the last completed turn. */
  result: string | null
  /** Details about the current status: `capacity`, `cloning`, `setup`, `working`, `creating_pr`, … */
  status_detail: string | null
  summary: string | null
  /** Why the run failed. */
  error: {
    code: string
    message: string
    retryable: boolean
  } | null
  /** Set while the run waits for its code host (`status_detail` is `waiting_for_host` between tries). If `next_try_at` is null, the run is paused until somebody continues it. */
  host_wait: {
    /** `begin`: the run cannot read its repository yet. `deliver`: the finished work is kept until the code host accepts it. */
    for: 'begin' | 'deliver'
    /** What the code host answered, such as `unavailable` or `forbidden`. */
    code: string
    message: string
    /** How many tries have failed. */
    tries: number
    /** RFC 3339 timestamp in UTC with milliseconds. */
    since: string
    /** RFC 3339 timestamp in UTC with milliseconds. */
    next_try_at: string | null
  } | null
  source_type: 'LOCAL' | 'SLACK' | 'GITHUB' | 'GITHUB_CHECK_SUITE' | 'GITHUB_PR_REVIEW' | 'LINEAR' | 'API' | 'CHAT' | 'JIRA' | 'CLICKUP' | 'MONDAY' | 'SETUP_COMMANDS' | 'GITLAB' | 'GITEA' | 'WEB' | 'CLI' | 'MCP' | 'SCHEDULE' | 'LOG_ANALYSIS'
  /** Pull requests opened by the run, on any code host. */
  github_pull_requests: Array<RunPullRequest>
  metadata: Record<string, unknown> | null
  prompt: string
  title: string | null
  repo_id: number | null
  model: string | null
  /** How much models think. If null, the default of the repository or organization applies. */
  effort: 'none' | 'low' | 'medium' | 'high' | null
  /** How often one turn may ask a model. If null, the limit of the service applies. */
  max_model_calls: number | null
  /** The engine that executes the run. */
  agent_type: string
  turn: number
  /** RFC 3339 timestamp in UTC with milliseconds. */
  updated_at: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  started_at: string | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  finished_at: string | null
  user_id: number | null
  parent_run_id: number | null
  branch: string | null
  base_branch: string | null
  usage: {
    input_tokens: number
    /** Those of `input_tokens` that came from the cache of a provider. */
    cached_input_tokens: number
    output_tokens: number
    /** Null if the price is unknown. */
    cost_usd: number | null
  }
  archived: boolean
  /** The final answer as JSON if the run has an output schema and the answer matches it; otherwise null. */
  result_json: unknown
  /** Cost limit of the run. Once the run reaches it, the run makes no more model calls and is paused (`budget_reached`). Raise the limit to continue the run. */
  max_cost_usd: number | null
  timeout_minutes: number
  plan_approval: boolean
  /** Folders that the work tree is limited to; `[]` for all. If null, those of the repository apply. */
  paths: Array<string> | null
  /** Fields that hold only their first 2,000 characters: `prompt`, `result` or `summary`, in lists and streams. Reading the run by itself gives all of them, and `[]` here. */
  truncated: Array<string>
}

export type AgentRunPage = {
  items: Array<AgentRun>
  total: number
  page: number
  size: number
  pages: number
}

export type AgentRunLog = {
  agent_run_id: number
  /** Sequence number within the run: 1, 2, 3, … without gaps. */
  seq: number
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  turn: number
  /** `ACTION`, `PLAN_EVALUATION`, `FINAL_ANSWER`, `ERROR`, `USER_MESSAGE`, … */
  message_type: string
  thought: string | null
  tool_name: string | null
  tool_input: Record<string, unknown> | null
  tool_output: Record<string, unknown> | null
  observation: Record<string, unknown> | string | null
  duration_ms: number | null
}

export type AgentRunWithLogsResponse = {
  id: number
  organization_id: number
  status: 'queued' | 'in_progress' | 'waiting_for_user' | 'paused' | 'completed' | 'failed' | 'cancelled'
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  /** URL of the run in the web UI. */
  web_url: string
  /** The final answer of the last completed turn. */
  result: string | null
  logs: Array<AgentRunLog>
  total_logs: number
  page: number
  size: number
  pages: number
}

export type LiveTool = {
  agent_run_id: number
  /** Step number within the run. Later steps have higher numbers. */
  step: number
  turn: number
  tool_name: string
  /** Secrets are masked and long strings are truncated. The log entry has the full input. */
  tool_input: Record<string, unknown>
  /** Whether part of the input was truncated. */
  tool_input_cut: boolean
  /** RFC 3339 timestamp in UTC with milliseconds. */
  started_at: string
  /** Null while the tool is running. */
  ended_at: string | null
}

export type TextDelta = {
  agent_run_id: number
  /** Step number within the run. Later steps have higher numbers. */
  step: number
  turn: number
  /** What the agent is writing. */
  kind: 'thought' | 'answer'
  /** Offset of this piece in the text, in UTF-16 code units. The piece replaces everything from that offset on. If the offset is past the end of the text you have, you missed an earlier piece. */
  at: number
  /** The piece of text, with secrets masked. */
  text: string
  /** Whether this is the last piece. The log entry has the full text. */
  done: boolean
}

export type Organization = {
  id: number
  name: string
  settings: {
    enable_pr_creation: boolean
    /** Whether the built-in agent is given the rule files of a repository (`AGENTS.md`, `CLAUDE.md` and others). */
    enable_rules_detection: boolean
    /** Minimum enforcement for each limit, from weakest to strongest: `none`, `polled`, `per-process`, `kernel`. Runs are refused if no worker meets it. Replaces the previous requirements. */
    sandbox_require: {
      memory?: 'none' | 'polled' | 'per-process' | 'kernel'
      cpu?: 'none' | 'polled' | 'per-process' | 'kernel'
      processes?: 'none' | 'polled' | 'per-process' | 'kernel'
      disk?: 'none' | 'polled' | 'per-process' | 'kernel'
      network?: 'none' | 'polled' | 'per-process' | 'kernel'
      kill?: 'none' | 'polled' | 'per-process' | 'kernel'
    }
    /** The name people use to mention the agent on code hosts, without the `@`. */
    agent_name: string
    /** Adding this label to an issue assigns the issue to the agent. Empty: no label does. */
    trigger_label: string
    accept_setup_commands: boolean
    /** When agents review pull requests automatically: never, once when a pull request is ready, or at each commit after pushes have settled. */
    review_pulls: 'off' | 'opened' | 'each_head'
    /** Whether agents may approve pull requests written by people. */
    enable_review_approval: boolean
    /** If true, the agent sees comments on its own pull requests only when they mention it. */
    require_mentions: boolean
    /** Whether runs and checks of the organization go only to workers with its own worker tokens. Until one is free, they wait. */
    own_workers_only: boolean
    /** How many days each part of a run is kept after the run ended; null: until the run is deleted. A run whose log or repository was deleted cannot continue. */
    retention: {
      /** The runs themselves, with everything below. */
      runs: number | null
      /** Logs, what sandboxes printed, and the steps from which a run continues. */
      logs: number | null
      /** Files that runs left. */
      artifacts: number | null
      /** Network requests of sandboxes. */
      egress: number | null
      /** The single model calls. Their sums stay in usage and budgets. */
      model_calls: number | null
      /** The repositories of runs without a repository. */
      repositories: number | null
    }
    /** How many days after its end a run's log moves from the database to the blob store, where it takes less space. It reads the same. Null: never. */
    archive_logs_after_days: number | null
  }
  limits: {
    /** Maximum number of runs in progress at the same time. */
    max_running: number
    /** Storage limit in bytes. */
    storage_bytes_max: number
  }
  /** Labels that a worker must have to execute these runs; it must have all of them. A repository without labels uses those of its organization. */
  labels: Array<string>
  /** Runs that do not specify a model use the first one, and the next one when that cannot be used. A repository without default models uses those of its organization. */
  default_models: Array<string>
  /** How much models think in runs that do not specify an effort. If null, the organization decides for a repository; otherwise it is `medium`. */
  default_effort: 'none' | 'low' | 'medium' | 'high' | null
}

export type OrganizationPage = {
  items: Array<Organization>
  total: number
  page: number
  size: number
  pages: number
}

export type User = {
  id: number
  email: string | null
  github_user_id: string
  github_username: string
  avatar_url: string | null
  full_name: string | null
  kind: 'person' | 'service'
  role: 'ADMIN' | 'MANAGER' | 'MEMBER'
  /** Whether the user's role in the organization is `ADMIN`. */
  is_admin: boolean
}

export type UserPage = {
  items: Array<User>
  total: number
  page: number
  size: number
  pages: number
}

export type Me = {
  id: number
  email: string | null
  github_user_id: string
  github_username: string
  avatar_url: string | null
  full_name: string | null
  kind: 'person' | 'service'
  role: 'ADMIN' | 'MANAGER' | 'MEMBER'
  /** Whether the user's role in the organization is `ADMIN`. */
  is_admin: boolean
  /** Instructions that your agents get in addition to each prompt. */
  user_custom_prompt: string | null
}

export type Rules = {
  /** Instructions that agents get in addition to each prompt. */
  rules: string | null
}

export type ClientRules = {
  organization_rules: string | null
  user_custom_prompt: string | null
}

export type Token = {
  id: number
  name: string | null
  user_id: number
  /** The first characters of the secret. */
  prefix: string
  /** The last four characters of the secret. */
  last4: string
  /** Scopes of the token: `read`, `run`, `manage`, `admin`. */
  scopes: Array<'read' | 'run' | 'manage' | 'admin'>
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  last_used_at: string | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  expires_at: string | null
}

export type TokenPage = {
  items: Array<Token>
  total: number
  page: number
  size: number
  pages: number
}

export type NewToken = {
  id: number
  name: string | null
  user_id: number
  /** The first characters of the secret. */
  prefix: string
  /** The last four characters of the secret. */
  last4: string
  /** Scopes of the token: `read`, `run`, `manage`, `admin`. */
  scopes: Array<'read' | 'run' | 'manage' | 'admin'>
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  last_used_at: string | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  expires_at: string | null
  /** The secret. It is shown only in this response, and is null when the response is replayed. */
  token: string | null
}

export type AuditEntry = {
  id: number
  /** RFC 3339 timestamp in UTC with milliseconds. */
  at: string
  /** The `operationId` of the request, such as `updateMember`. */
  action: string
  /** Who sent it. */
  user_id: number
  /** The token that it was sent with, or that its session was opened with. */
  credential_id: number
  /** The IP address that it came from. */
  address: string
  /** As in `x-request-id` and in log lines. */
  request_id: string
  /** What the path names, such as `{"user_id": 7}`. */
  named: Record<string, unknown>
  /** The fields of the body. Numbers, booleans and words of a closed set are shown; `…` stands for everything else that was given. */
  changed: Record<string, unknown>
  /** The HTTP status of the answer. Null: not answered yet, or the process was killed. */
  status: number | null
}

export type AuditEntryPage = {
  items: Array<AuditEntry>
  total: number
  page: number
  size: number
  pages: number
}

export type Storage = {
  bytes: number
  bytes_max: number
  kinds: Array<{
    kind: 'git' | 'mirrors' | 'artifacts' | 'checkpoints' | 'images' | 'logs' | 'snapshots'
    bytes: number
  }>
  /** Storage limit of each repository, in bytes. */
  repo_bytes_max: number
  /** Storage limit of each run, in bytes: its pushes, artifacts, and log. */
  run_bytes_max: number
  /** How much the log of one run can hold, in bytes. */
  log_bytes_max: number
  /** The largest repositories, largest first. */
  repos: Array<{
    repo_id: number
    name: string
    bytes: number
  }>
}

export type PullRequestSettings = {
  /** Pull requests are opened as drafts, and marked as ready for review once their checks pass. */
  draft_until_green: boolean
  /** How the agent updates its branch when it conflicts with the base branch, or must contain it to be merged: by a merge, by a rebase, or not at all. */
  update_branch: 'off' | 'merge' | 'rebase'
  /** How a pull request is merged once its run is completed, its checks pass, and the code host allows it. `off`: a person merges it. */
  merge_when_green: 'off' | 'merge' | 'squash' | 'rebase'
  /** The branch is deleted after the merge, if nothing else needs it. */
  delete_branch: boolean
  /** Labels that each pull request gets. */
  labels: Array<string>
  /** The commits of runs are made through the API of the code host, which signs them. GitHub does so for an App; commits of a token stay unsigned. */
  sign_commits: boolean
  /** The names of the branches of new runs. `{run}` is the id of the run and required; `{title}` is made of words of its title. Runs that have a branch keep it. */
  branch_pattern: string
}

export type Repository = {
  id: number
  name: string
  full_name: string
  description: string | null
  github_id: string
  organization_id: number
  visibility: string
  archived: boolean
  /** `generating`, `proposed`, `accepted`, `outdated`, or `failed`. Empty if setup commands were never generated. */
  setup_status: string
  language: string | null
  /** The code host. `local` is the built-in one. */
  host: string
  /** The integration that connects the code host. */
  integration_id: number | null
  /** False if the code host is disconnected, switched off, or does not let Runwright in, such as while a GitHub App is suspended. Nothing is done there while it is false, and new runs are refused. */
  is_connected: boolean
  /** URL on the external code host. */
  url: string | null
  default_branch: string
  /** Bash commands that prepare the work tree. */
  setup_commands: string | null
  /** If true, runs fail when the setup fails. If false, they continue without it. */
  setup_required: boolean
  /** Whether setup commands found by a run, and a test command that passes, are accepted without approval by a person. If not set, the organization's setting applies. */
  accept_setup_commands: boolean | null
  /** When agents review pull requests automatically: never, once when a pull request is ready, or at each commit after pushes have settled. */
  review_pulls: 'off' | 'opened' | 'each_head' | null
  /** Branches where agents review what people push. */
  watched_branches: Array<string>
  pull_settings: PullRequestSettings
  /** Protects branches of a repository on the built-in host. The first rule whose pattern matches a branch applies. A protected branch cannot be deleted. Without a rule, the default branch refuses force pushes, and other branches allow them. */
  branch_rules: Array<{
    /** The name of a branch, or a pattern such as `release/*`. */
    pattern: string
    /** Pushes are refused. The branch changes by pull requests only. */
    require_pull: boolean
    /** Names of checks that must pass at the head of a pull request before it can be merged. */
    required_checks: Array<string>
    /** How many people must approve the head of a pull request. A review that requests changes blocks the merge. */
    required_approvals: number
    /** Whether pushes may remove commits. */
    allow_force_push: boolean
  }>
  /** Checks that workers run on the built-in host, after the setup commands, at the head of the default branch and of each open pull request. */
  check_commands: Array<{
    name: string
    /** A bash command. */
    command: string
    /** A folder. The command runs in it, and only if something in it has changed; otherwise the check is skipped. */
    path?: string
  }>
  /** Folders, such as `services/api`. Work trees hold these, and the files next to them and above them, and nothing else. If empty, they hold everything. */
  paths: Array<string>
  /** URL for git. Use a token as the password. */
  git_url: string
  /** URL for git over SSH, with a deploy key. Null if the service does not have SSH turned on, or another host has the repository. */
  ssh_url: string | null
  /** Runs that do not specify a model use the first one, and the next one when that cannot be used. A repository without default models uses those of its organization. */
  default_models: Array<string>
  /** How much models think in runs that do not specify an effort. If null, the organization decides for a repository; otherwise it is `medium`. */
  default_effort: 'none' | 'low' | 'medium' | 'high' | null
  /** The engine of runs that do not specify one. Without it, the service chooses. */
  default_engine: string | null
  /** Names of secrets that are set in the environment of every command of the repository's runs. Other secrets must be requested by name. */
  environment_secrets: Array<string>
  /** Labels that a worker must have to execute these runs; it must have all of them. A repository without labels uses those of its organization. */
  labels: Array<string>
}

export type RepositoryPage = {
  items: Array<Repository>
  total: number
  page: number
  size: number
  pages: number
}

export type Branch = {
  name: string
  /** The full SHA of its head commit. */
  commit: string
  is_default: boolean
}

export type BranchPage = {
  items: Array<Branch>
  total: number
  page: number
  size: number
  pages: number
}

export type OutsideSession = {
  session_id: string
  /** The run that shows the session. */
  agent_run_id: number
  status: 'queued' | 'in_progress' | 'waiting_for_user' | 'paused' | 'completed' | 'failed' | 'cancelled'
  web_url: string
}

export type SessionReport = {
  agent_run_id: number
  /** How many log entries the line has become. */
  entries: number
}

export type Tool = {
  name: string
  description: string
  category: string
  /** JSON Schema of its arguments. */
  parameters: Record<string, unknown>
}

export type ToolList = {
  tools: Array<Tool>
  total_count: number
}

export type ToolResult = {
  tool_name: string
  /** What the endpoint of the tool answers. */
  result: unknown
}

export type PullRequest = {
  id: number
  organization_id: number
  repo_id: number
  /** The run that opened the pull request. */
  run_id: number | null
  /** Number within the repository. */
  number: number
  url: string
  title: string
  body: string
  state: 'open' | 'closed'
  draft: boolean
  merged: boolean
  /** Empty on an external host. */
  labels: Array<string>
  /** Empty on an external host, which asks its own. */
  reviewers: Array<{
    user_id: number
    /** `code_owner`: CODEOWNERS of the base branch names them. */
    reason: 'code_owner' | 'asked'
    /** The pattern of CODEOWNERS by which they own what is changed. */
    pattern: string | null
    /** Who asked them last. Null for code owners whom nobody asked again. */
    requested_by: number | null
    /** RFC 3339 timestamp in UTC with milliseconds. */
    requested_at: string
    /** What they have said since they were asked. */
    state: 'requested' | 'approved' | 'changes_requested' | 'commented'
  }>
  /** What CODEOWNERS of the base branch says. Null without such a file, for drafts, and on an external host. */
  code_owners: {
    /** The file that counts. */
    path: string
    /** Owners of changed files who are not one person of this organization. */
    not_found: Array<string>
    /** What in the file does not count, and why. */
    problems: Array<string>
  } | null
  head_branch_name: string
  base_branch_name: string
  /** A full commit SHA. */
  head_commit: string
  /** The head commit of the base branch after the merge. */
  merge_commit: string | null
  merged_by: number | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  merged_at: string | null
  /** The pull request that this one reverts. */
  reverts: number | null
  /** The pull request that reverts this one, open or merged. */
  revert: {
    id: number
    number: number
    state: 'open' | 'closed'
    merged: boolean
  } | null
  /** When the branch was deleted through Runwright after the merge. */
  branch_deleted_at: string | null
  branch_deleted_by: number | null
  /** State of the run that maintains the pull request. Null if no run does. */
  agent: {
    phase: 'waiting_checks' | 'detecting' | 'rerunning' | 'fixing' | 'green' | 'gave_up' | 'paused' | 'closed' | 'merged' | 'banned' | 'removed'
    /** Number of turns started to fix checks. */
    attempts: number
    /** Human-readable reason why the agent stopped fixing checks. */
    reason: string | null
  } | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  updated_at: string
}

export type PullRequestPage = {
  items: Array<PullRequest>
  total: number
  page: number
  size: number
  pages: number
}

export type PullRequestUpdate = {
  success: boolean
  url: string
  number: number
  title: string
  state: 'open' | 'closed' | 'draft'
  error: string | null
}

export type PullRequestFile = {
  path: string
  /** Previous path of a renamed file. */
  previous_path: string | null
  status: 'added' | 'modified' | 'removed' | 'renamed'
  /** Number of added lines. Null if the file is not text. */
  additions: number | null
  deletions: number | null
}

export type PullRequestFilePage = {
  items: Array<PullRequestFile>
  total: number
  page: number
  size: number
  pages: number
}

export type PullRequestFileLines = {
  path: string
  side: 'base' | 'head'
  /** The commit that the file was read from. */
  commit: string
  /** `binary` files have no lines. `redacted`: redaction would change the line numbers. */
  kind: 'text' | 'binary' | 'redacted'
  /** Line number of the first line. */
  from: number
  /** Empty beyond the end of the file. */
  lines: Array<string>
  /** Null if the file has no lines to show. */
  total_lines: number | null
}

export type PullRequestComment = {
  /** Null on an external host. Its `url` identifies it there. */
  id: number | null
  pr_id: number
  /** Null on an external host; see `author`. */
  user_id: number | null
  /** Who wrote the comment on an external host. Null if that is no longer known. */
  author: {
    login: string
    is_bot: boolean
  } | null
  /** URL on the external host. */
  url: string | null
  body: string
  /** Null for a comment on the pull request as a whole. */
  path: string | null
  line: number | null
  side: 'base' | 'head' | null
  /** The commit that the author saw. If it is not the current head, line numbers may differ. Null if an external host does not report it. */
  head_commit: string | null
  /** The review that the comment is part of. */
  review_id: number | null
  /** The comment that began the thread. Null for a comment on no line, and on an external host. */
  thread_id: number | null
  /** Null for the comment that began the thread. */
  in_reply_to: number | null
  /** Whether the thread is resolved. */
  resolved: boolean
  resolved_by: number | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  resolved_at: string | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
}

export type PullRequestCommentPage = {
  items: Array<PullRequestComment>
  total: number
  page: number
  size: number
  pages: number
}

export type PullRequestReview = {
  id: number
  pr_id: number
  /** Who wrote the review. Null if an agent did. */
  user_id: number | null
  /** The run that wrote the review. */
  agent_run_id: number | null
  /** URL of that run in the web UI. */
  web_url: string | null
  verdict: 'comment' | 'approve' | 'request_changes'
  body: string
  comments: Array<{
    path: string
    line: number
    side: 'base' | 'head'
    body: string
  }>
  /** The commit that was reviewed. */
  head_commit: string
  /** URL on the external host. */
  url: string | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
}

export type PullRequestReviewPage = {
  items: Array<PullRequestReview>
  total: number
  page: number
  size: number
  pages: number
}

export type Check = {
  /** Stable key of the check among the checks of a commit. */
  key: string
  name: string
  /** Who runs the check. On the built-in host: `local`, `ci`, or `runwright`. */
  app: string
  status: 'queued' | 'in_progress' | 'completed'
  /** Required if `status` is `completed`; not allowed otherwise. */
  conclusion: 'success' | 'failure' | 'cancelled' | 'timed_out' | 'neutral' | 'skipped' | 'action_required' | 'stale' | 'startup_failure' | null
  url: string | null
  summary: string | null
  has_log: boolean
  /** RFC 3339 timestamp in UTC with milliseconds. */
  started_at: string | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  completed_at: string | null
}

export type CheckPage = {
  items: Array<Check>
  total: number
  page: number
  size: number
  pages: number
}

export type CheckSuiteSettings = {
  /** How many times agents try to fix the same failing check, per pull request. 0: never. */
  check_retry_count: number
  /** Names of checks, or of apps that run checks, that agents ignore. */
  ignored_checks: Array<string>
  /** Retry counts for individual checks, or for all checks of an app. */
  check_retry_counts: Record<string, unknown>
  /** Additional instructions for fixing this check, or any check of this app. */
  custom_prompts: Record<string, unknown>
  /** If one of these checks, or a check of one of these apps, fails, agents do not wait for the other checks. */
  high_priority_apps: Array<string>
  /** How long to wait for the checks of a commit to appear. */
  settle_seconds: number
  /** Checks seen on commits of the repository, and the apps that run them. */
  available_check_suite_names: Array<string>
}

export type Verdict = {
  id: number
  name: string
  status: 'queued' | 'in_progress' | 'completed'
  conclusion: 'success' | 'failure' | 'cancelled' | 'timed_out' | 'neutral' | 'skipped' | 'action_required' | 'stale' | 'startup_failure' | null
  /** Null until the command has ended, and if a signal or the time limit ended it. */
  exit_code: number | null
  duration_ms: number | null
  summary: string | null
  has_log: boolean
}

export type Contestant = {
  n: number
  name: string
  run_id: number
  web_url: string
  status: 'queued' | 'in_progress' | 'waiting_for_user' | 'paused' | 'completed' | 'failed' | 'cancelled'
  status_detail: string | null
  /** `passed` if the run completed and all judges passed it; `failed` if a judge failed it, the run did not complete, or it changed nothing that could be judged. */
  outcome: 'open' | 'passed' | 'failed'
  /** Who passed comes first, then lower cost, then less time. Ties have the same rank. Null while open. */
  rank: number | null
  agent_type: string
  model: string | null
  /** How much models think before they answer. The built-in agent asks for it in each provider’s own way; a model that refuses is asked without. */
  effort: 'none' | 'low' | 'medium' | 'high' | null
  /** Null if it is the prompt of the comparison. */
  prompt: string | null
  /** The beginning of it. */
  answer: string | null
  error: {
    code: string
    message: string
    retryable: boolean
  } | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  started_at: string | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  finished_at: string | null
  usage: {
    input_tokens: number
    cached_input_tokens: number
    output_tokens: number
    /** Null if the price is unknown. */
    cost_usd: number | null
  }
  /** Model calls, tool calls, and questions. */
  steps: number
  diff: {
    files: number
    additions: number
    deletions: number
  } | null
  /** Checks of its commit besides the judges. */
  checks: {
    passed: number
    failed: number
    open: number
  }
  branch: string | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  branch_deleted_at: string | null
  pull_request: {
    id: number
    number: number
  } | null
  verdicts: Array<Verdict>
}

export type Comparison = {
  id: number
  title: string
  prompt: string
  user_id: number
  repo_id: number | null
  base_branch: string | null
  /** The commit that all contestants start from. Null until the first one starts. */
  base_commit: string | null
  /** `done` once every run has ended and every judge has found its verdict. */
  status: 'open' | 'done' | 'cancelled'
  judges: Array<{
    name: string
    /** It passes a contestant if it exits with 0. */
    command: string
    timeout_seconds: number | null
  }>
  judge_files: Array<{
    path: string
    bytes: number
  }>
  winner_run_id: number | null
  /** Whether the kept run is to have a pull request. */
  open_pull_request: boolean
  /** Why the kept run has no pull request. */
  problem: string | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  web_url: string
  contestants: Array<Contestant>
}

export type ComparisonPage = {
  items: Array<Comparison>
  total: number
  page: number
  size: number
  pages: number
}

export type InboxItem = {
  id: number
  organization_id: number
  /** The run asks a question, proposes a plan, or has failed, or its pull request is ready to merge: open, no draft, without conflicts, and with checks that have passed. `review`: somebody asks you to review a pull request, or its base branch names you in CODEOWNERS. */
  kind: 'question' | 'plan' | 'failure' | 'merge' | 'review'
  /** Null for a request to review, which is about a pull request. */
  run_id: number | null
  /** The title of the run, or the first line of its prompt. */
  run_title: string | null
  run_status: 'queued' | 'in_progress' | 'waiting_for_user' | 'paused' | 'completed' | 'failed' | 'cancelled' | null
  pr_id: number | null
  pr_number: number | null
  /** Of the pull request. */
  repo_id: number | null
  /** The question, the plan, the reason of the failure, or the title of the pull request. */
  text: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  read_at: string | null
}

export type InboxItemPage = {
  items: Array<InboxItem>
  total: number
  page: number
  size: number
  pages: number
}

export type InboxSettings = {
  /** Kinds that the inbox leaves out. */
  muted: Array<'question' | 'plan' | 'failure' | 'merge' | 'review'>
}

export type View = {
  id: number
  name: string
  /** The query string of the run list in the web UI, such as `status=failed&since=week`. */
  query: string
}

export type ViewPage = {
  items: Array<View>
  total: number
  page: number
  size: number
  pages: number
}

export type Integration = {
  /** Null for the built-in code host. */
  id: number | null
  integration_type: 'local' | 'github'
  active: boolean
  token_id: number | null
  installation_id: number | null
  metadata: Record<string, unknown>
  app_id: number | null
  /** Base URL of the API. Null for the public service. */
  base_url: string | null
  /** The account that owns the repositories. */
  account: string | null
  /** The account that agents use on the code host. */
  bot_login: string | null
  /** URL to which the code host sends its signed webhook events. */
  webhook_url: string | null
  /** The most recent problem with the connection. */
  problem: string | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  synced_at: string | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string | null
}

export type Integrations = {
  organization_id: number
  organization_name: string
  integrations: Array<Integration>
  total_active_integrations: number
}

export type AppForm = {
  /** URL to which the browser posts the form, with the field `manifest`. */
  url: string
  /** The GitHub App manifest, as JSON. */
  manifest: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  expires_at: string
}

export type IntegrationHealthCheck = {
  /** `credentials`: the token or key is accepted. `installation`: the GitHub App is installed. `permissions`: nothing is missing. `webhooks`: the code host sends them here. `deliveries`: they arrive. `polls`: repositories are looked at for events that no webhook delivered. `jobs`: events were handled. `repositories`: they are listed. */
  name: 'credentials' | 'installation' | 'permissions' | 'webhooks' | 'deliveries' | 'polls' | 'jobs' | 'repositories'
  status: 'ok' | 'warning' | 'problem'
  /** How it stands, for people. */
  message: string
  /** The page where it can be looked at or fixed. */
  url: string | null
  /** When it last happened. */
  at: string | null
}

export type IntegrationHealth = {
  integration: Integration
  /** The worst status of the checks. */
  status: 'ok' | 'warning' | 'problem'
  checks: Array<IntegrationHealthCheck>
}

export type FailedJob = {
  id: number
  /** `host_event`: react to an event on a code host. `delivery`: read a webhook. `status_comment`: post the answer of a run. `fixer`: check on a pull request and fix its failing checks. `review`: start a review. */
  kind: 'sync' | 'delivery' | 'poll' | 'host_event' | 'check' | 'status_comment' | 'fixer' | 'review' | 'comparison'
  /** What the job is about, such as `pull:7`, `branch:main`, or the type of a webhook. */
  subject: string | null
  repo_id: number | null
  agent_run_id: number | null
  /** Why the last try failed. */
  problem: string
  tries: number
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  gave_up_at: string
}

export type FailedJobPage = {
  items: Array<FailedJob>
  total: number
  page: number
  size: number
  pages: number
}

export type Issue = {
  id: number
  organization_id: number
  repo_id: number
  /** Number within the repository. Issues and pull requests share one sequence. */
  number: number
  url: string
  /** The user who opened the issue. */
  user_id: number
  /** Name of the user who opened the issue. */
  author: string | null
  title: string
  body: string
  state: 'open' | 'closed'
  labels: Array<string>
  assigned_to_agent: boolean
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  updated_at: string
}

export type IssuePage = {
  items: Array<Issue>
  total: number
  page: number
  size: number
  pages: number
}

export type IssueComment = {
  id: number
  user_id: number
  body: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
}

export type IssueCommentPage = {
  items: Array<IssueComment>
  total: number
  page: number
  size: number
  pages: number
}

export type SetupRun = {
  agent_run_id: number
  status: string
  /** URL of the run in the web UI. */
  url: string
}

export type SetupEvidence = {
  command: string
  /** Null if the command was terminated. */
  exit_code: number | null
  duration_ms: number
  /** The last part of the output. */
  tail: string
}

export type SetupProposal = {
  n: number
  repo_id: number
  agent_run_id: number
  state: 'proposed' | 'accepted' | 'superseded'
  /** Commands in order. Each one runs only after the previous one has succeeded. */
  commands: Array<string>
  /** Null if no passing test command was found. */
  test_command: string | null
  notes: string
  /** Commands that were run from a clean work tree, with their results. */
  evidence: Array<SetupEvidence>
  base_commit: string | null
  /** Digests of the files that the installation depends on, by path. */
  lockfiles: Record<string, unknown>
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  accepted_at: string | null
  accepted_by: number | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  outdated_at: string | null
}

export type SetupProposalPage = {
  items: Array<SetupProposal>
  total: number
  page: number
  size: number
  pages: number
}

export type Snapshot = {
  n: number
  /** `unfit`: the setup cannot be stored as a snapshot, so each work tree runs it separately. `failed`: the setup commands fail. */
  state: 'making' | 'ready' | 'unfit' | 'failed'
  /** The data folder that holds the snapshot. Each machine creates its own snapshots. */
  machine: string
  /** The commit that was checked out when the setup commands ran. */
  base_commit: string
  bytes: number | null
  /** Duration of the setup commands in milliseconds. */
  setup_ms: number | null
  problem: {
    message: string
    /** The command that failed. */
    command: string | null
    exit_code: number | null
    /** The last part of the output. */
    output: string | null
  } | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  used_at: string
}

export type SnapshotPage = {
  items: Array<Snapshot>
  total: number
  page: number
  size: number
  pages: number
}

export type McpProvider = {
  id: number
  name: string
  /** Where the server is. Empty if it runs in the sandbox. */
  issuer: string
  /** Empty: an ADMIN gives the server its credentials. */
  authorization_endpoint: string
  /** Empty, like `authorization_endpoint`. */
  token_endpoint: string
  default_scopes: Array<string> | null
  is_mcp: boolean
  /** The organization, and the repository if it is for one only. */
  meta: Record<string, unknown> | null
}

export type McpProviders = Array<McpProvider>

export type ConnectedProviders = Array<string>

export type Disconnected = {
  provider: string
  /** How many connections had this name. */
  disconnected: number
  message: string
}

export type SlackToken = {
  /** The token. It is shown only once, and is null when the response is replayed. */
  token: string | null
  /** What to do with it. */
  message: string
  expires_in_minutes: number
}

export type DeployKey = {
  id: number
  repo_id: number
  /** What the key is for, such as the server that has it. */
  title: string
  /** The public key, without its comment. */
  key: string
  /** As `ssh-keygen -l` prints it: `SHA256:` and 43 characters. */
  fingerprint: string
  /** Whether the key may push, under the same branch rules as members. Otherwise it only clones and fetches. */
  can_push: boolean
  /** The user who added it. */
  created_by: number
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  /** Exact to the minute. */
  last_used_at: string | null
}

export type DeployKeyPage = {
  items: Array<DeployKey>
  total: number
  page: number
  size: number
  pages: number
}

export type WorkerToken = {
  id: number
  name: string
  /** The first characters of the secret. */
  prefix: string
  /** The last four characters of the secret. */
  last4: string
  /** Labels that workers with this token may have. Null: any. */
  labels: Array<string> | null
  /** The workers that are connected with it. */
  workers: Array<{
    /** The host name and process of the machine. */
    name: string
    version: string
    labels: Array<string>
    /** How many runs it takes at once. */
    slots: number
    /** How many it has now. */
    runs: number
    /** False while its machine has a problem for which it takes no runs. */
    is_fit: boolean
    /** RFC 3339 timestamp in UTC with milliseconds. */
    connected_at: string
  }>
  /** The user who created it. Null: an operator of the service. */
  created_by: number | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  expires_at: string | null
  /** Exact to the minute. */
  last_used_at: string | null
}

export type WorkerTokenPage = {
  items: Array<WorkerToken>
  total: number
  page: number
  size: number
  pages: number
}

export type NewWorkerToken = {
  id: number
  name: string
  /** The first characters of the secret. */
  prefix: string
  /** The last four characters of the secret. */
  last4: string
  /** Labels that workers with this token may have. Null: any. */
  labels: Array<string> | null
  /** The workers that are connected with it. */
  workers: Array<{
    /** The host name and process of the machine. */
    name: string
    version: string
    labels: Array<string>
    /** How many runs it takes at once. */
    slots: number
    /** How many it has now. */
    runs: number
    /** False while its machine has a problem for which it takes no runs. */
    is_fit: boolean
    /** RFC 3339 timestamp in UTC with milliseconds. */
    connected_at: string
  }>
  /** The user who created it. Null: an operator of the service. */
  created_by: number | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  expires_at: string | null
  /** Exact to the minute. */
  last_used_at: string | null
  /** The secret. It is shown only in this response, and is null when the response is replayed. */
  token: string | null
}

export type Sandbox = {
  id: number
  organization_id: number
  agent_run_id: number | null
  /** The check whose commands ran in the sandbox, if it was not used by a run. */
  check_key: string | null
  /** What isolates the sandbox: `bubblewrap`, `container`, or `unsafe` for no isolation. */
  provider: string
  /** The worker that runs the sandbox. */
  worker: string
  status: 'running' | 'ended'
  /** How each limit is enforced: by the kernel (`kernel`), by the kernel but only for each process (`per-process`), by periodic checks (`polled`), or not at all (`none`). */
  enforcement: {
    memory: 'none' | 'polled' | 'per-process' | 'kernel'
    cpu: 'none' | 'polled' | 'per-process' | 'kernel'
    processes: 'none' | 'polled' | 'per-process' | 'kernel'
    disk: 'none' | 'polled' | 'per-process' | 'kernel'
    network: 'none' | 'polled' | 'per-process' | 'kernel'
    kill: 'none' | 'polled' | 'per-process' | 'kernel'
  }
  /** RFC 3339 timestamp in UTC with milliseconds. */
  started_at: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  ended_at: string | null
  /** Why the sandbox ended: `lifetime`, `disk_full`, `out_of_memory`, `open_files`, `unmeasured`, `unresponsive`, `lost` (together with its worker), or another reason as text. */
  end_reason: string | null
}

export type SandboxPage = {
  items: Array<Sandbox>
  total: number
  page: number
  size: number
  pages: number
}

export type SandboxCommand = {
  /** Number within the sandbox. If there were many commands, the oldest are no longer stored. */
  n: number
  /** The shell command line, or the program and its arguments. */
  command: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  started_at: string
  duration_ms: number
  /** Null if a signal terminated the command. */
  exit_code: number | null
  /** `exited`, `timeout`, `killed`, `out_of_memory`, or `sandbox_lost`. */
  reason: string
  /** The last part of the output. */
  output: string
  /** Number of bytes of earlier output that were cut off. */
  cut_bytes: number
}

export type SandboxCommandPage = {
  items: Array<SandboxCommand>
  total: number
  page: number
  size: number
  pages: number
}

export type LogAnalysis = {
  agent_run_id: number
  /** Status of the run. */
  status: string
  message: string
}

export type Secret = {
  /** Name of the environment variable that holds the secret. */
  name: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  updated_at: string
}

export type SecretPage = {
  items: Array<Secret>
  total: number
  page: number
  size: number
  pages: number
}

export type Egress = {
  /** Allowed host names: `example.com`, or `*.example.com` for all of its subdomains. Add `:port` for ports other than 443 and 80. */
  allow: Array<string>
  /** Predefined sets of hosts, each for one kind of program. */
  presets: Array<'npm' | 'pypi' | 'crates' | 'go' | 'debian' | 'github'>
  /** All host names that runs may reach, including those of the presets. For a repository, also those of its organization. */
  names: Array<string>
  /** Whether `.runwright.yml` on a base branch may allow more hosts for runs of its repository. */
  from_file: boolean
}

export type EgressRequest = {
  n: number
  /** RFC 3339 timestamp in UTC with milliseconds. */
  at: string
  /** The requested host name, or the text as requested if it was not a valid name. */
  name: string
  /** 0 if the port could not be read. */
  port: number
  allowed: boolean
  /** Why the request was refused, or why it failed although it was allowed. */
  reason: 'not_allowed' | 'port_not_allowed' | 'address_literal' | 'malformed_name' | 'not_found' | 'private_address' | 'not_plain_http' | 'credentials_in_url' | 'host_mismatch' | 'unclear_length' | 'not_tls' | 'server_name_missing' | 'server_name_mismatch' | 'encrypted_client_hello' | 'run_not_held' | 'unreachable' | null
  /** Null if the request was refused, or has not ended yet. */
  sent_bytes: number | null
  received_bytes: number | null
}

export type EgressRequestPage = {
  items: Array<EgressRequest>
  total: number
  page: number
  size: number
  pages: number
  /** Total number of requests, including those that were not recorded. */
  asked: number
  /** Number of requests that were refused. */
  refused: number
}

export type Message = {
  n: number
  prompt: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  /** Sequence number of the log entry that shows the message. Null until the agent reads it. */
  taken_seq: number | null
}

export type MessagePage = {
  items: Array<Message>
  total: number
  page: number
  size: number
  pages: number
}

export type Question = {
  n: number
  kind: 'question' | 'plan'
  text: string
  options: Array<string>
  answer: string | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  answered_at: string | null
}

export type QuestionPage = {
  items: Array<Question>
  total: number
  page: number
  size: number
  pages: number
}

export type Artifact = {
  name: string
  bytes: number
  content_type: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
}

export type ArtifactPage = {
  items: Array<Artifact>
  total: number
  page: number
  size: number
  pages: number
}

export type Span = {
  kind: 'queue' | 'setup' | 'model' | 'tool' | 'checks' | 'person'
  /** RFC 3339 timestamp in UTC with milliseconds. */
  from: string
  /** Null if the span has not ended. */
  to: string | null
}

export type Timeline = Array<Span>

export type Engine = {
  name: string
  title: string
  available: boolean
  /** Why it is not available. */
  reason: string | null
  /** For an engine that is no part of Runwright. */
  package: {
    /** The newest version that was tried, which is what would be installed. */
    newest: string
    /** Whether an ADMIN may have it installed. */
    may_install: boolean
    /** What each machine of the service has. */
    machines: Array<{
      machine: string
      /** Packages with their versions. Null: none that can be used. */
      version: string | null
      state: 'missing' | 'installing' | 'outdated' | 'newest'
      /** Why the last try to install it failed. */
      problem: string | null
    }>
  } | null
}

export type EnginePage = {
  items: Array<Engine>
  total: number
  page: number
  size: number
  pages: number
}

export type Model = {
  name: string
  provider: string
  available: boolean
  /** Why it is not available. */
  reason: string | null
}

export type ModelPage = {
  items: Array<Model>
  total: number
  page: number
  size: number
  pages: number
}

export type DryRun = {
  dry_run: boolean
  /** The resolved configuration that the run would use. */
  configuration: Record<string, unknown>
  /** Why the run would be refused (`budget_reached`, `sandbox_too_weak`) or would have to wait: `capacity` (a limit is reached), `no_worker` (no worker may take it), `no_own_worker` (none of the organization may, and its runs go to no others), or `no_fit_worker` (the workers that may take it have a problem on their machine). */
  blocked_by: string | null
  /** Typical cost range of similar runs. Null if no cost is known. */
  cost_range: {
    low_usd: number | null
    high_usd: number | null
  }
}

export type RateLimit = {
  /** Which requests the policy counts. `logs` counts requests of every policy but only limits reading logs. `user` and `organization` count all requests of a user or an organization, and are off unless the operator sets them. */
  policy: 'creation' | 'setup' | 'analysis' | 'logs' | 'standard' | 'user' | 'organization'
  /** Maximum number of requests in any period of `window_seconds`. */
  limit: number
  window_seconds: number
  remaining: number
  /** RFC 3339 timestamp in UTC with milliseconds. */
  resets_at: string | null
}

export type RateLimitPage = {
  items: Array<RateLimit>
  total: number
  page: number
  size: number
  pages: number
}

export type Budget = {
  id: number
  /** Counts only the runs of this user. Null: runs of all users. */
  user_id: number | null
  /** Counts only runs in this repository. Null: runs in all repositories. */
  repo_id: number | null
  /** Days and months are in UTC. `total` never resets. */
  period: 'day' | 'month' | 'total'
  limit_usd: number
  /** Amount spent since the period began. */
  spent_usd: number
  /** When the period ends and spending is counted from zero again. Null: never. */
  renews_at: string | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
}

export type BudgetPage = {
  items: Array<Budget>
  total: number
  page: number
  size: number
  pages: number
}

export type Usage = {
  /** A day in UTC, such as `2026-01-31`. */
  day: string | null
  user_id: number | null
  repo_id: number | null
  agent_type: string | null
  model: string | null
  calls: number
  /** All input tokens, cached or not. */
  input_tokens: number
  /** Those of `input_tokens` that came from the cache of a provider. */
  cached_input_tokens: number
  output_tokens: number
  /** Cost of the calls with a known price. Null if no price is known. */
  cost_usd: number | null
}

export type UsagePage = {
  items: Array<Usage>
  total: number
  page: number
  size: number
  pages: number
}

export type McpServer = {
  id: number
  /** Only runs in this repository use it. Null: all runs of the organization. */
  repo_id: number | null
  /** Part of the names of its tools: `mcp__name__tool`. */
  name: string
  /** Address of a remote server (streamable HTTP, or server-sent events). Hosts of private networks need RUNWRIGHT_PRIVATE_HOSTS. */
  url: string | null
  /** HTTP headers for a remote server. `${NAME}` stands for the secret NAME. Everything else is shown to members. */
  headers: Record<string, unknown>
  /** Program and arguments of a local server. It starts in the sandbox of each run and speaks over stdin and stdout. */
  command: Array<string> | null
  /** Environment of a local server. `${NAME}` stands for the secret NAME. Everything else is shown to members. */
  env: Record<string, unknown>
  enabled: boolean
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  updated_at: string
}

export type McpServerPage = {
  items: Array<McpServer>
  total: number
  page: number
  size: number
  pages: number
}

export type McpTrial = {
  ok: boolean
  /** Why it could not be used. */
  error: string | null
  tools: Array<{
    /** As models see it. */
    name: string
    /** In the words of the server. */
    description: string
  }>
  /** Tools that cannot be offered to models, and why. */
  left_out: Array<string>
}

export type MemberKey = {
  /** The last four characters of the key. */
  last4: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  updated_at: string
}

export type ModelProvider = {
  id: number
  /** First part of the names of its models: `name/model`. `anthropic`, `openai` or `google` replaces the provider of the service with that name for this organization; its `kind` must fit. */
  name: string
  /** The API it speaks: Anthropic’s messages, OpenAI’s responses (`openai`) or chat completions (`openai_chat`), or Google’s Gemini API. */
  kind: 'anthropic' | 'openai' | 'openai_chat' | 'google'
  /** Whether the organization has stored a key for it. */
  has_key: boolean
  my_key: {
    /** The last four characters of the key. */
    last4: string
    /** RFC 3339 timestamp in UTC with milliseconds. */
    updated_at: string
  } | null
  /** Whether its models are asked with the keys of members alone. The organization then stores no key, and runs of members without one fail. */
  member_keys_only: boolean
  /** Its address. Null: the address of Anthropic, OpenAI or Google. Hosts of private networks need RUNWRIGHT_PRIVATE_HOSTS. */
  base_url: string | null
  /** The only models that runs may use, as the provider calls them. Null: all that it has. */
  models: Array<string> | null
  /** Price of a million input tokens. Null: as in the price list of the service. */
  input_usd: number | null
  /** Price of a million output tokens. Set together with `input_usd`. */
  output_usd: number | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 timestamp in UTC with milliseconds. */
  updated_at: string
}

export type ModelProviderPage = {
  items: Array<ModelProvider>
  total: number
  page: number
  size: number
  pages: number
}

export type ModelProviderTrial = {
  ok: boolean
  /** Why its models could not be listed. */
  error: string | null
  /** Models it lists, at most 100. */
  models: Array<string>
  /** How many it lists. */
  total: number
  /** Models of `models` that it does not list. */
  missing: Array<string>
}

export type Health = {
  status: 'ok'
}

export type ServiceStatus = {
  status: 'ok'
  /** Warnings for the operator, one sentence each. */
  warnings: Array<string>
}

export type Session = {
  user_id: number
  /** RFC 3339 timestamp in UTC with milliseconds. */
  expires_at: string
}

export type SignInWays = {
  token: boolean
  oidc: {
    /** Display name of the provider. */
    name: string
    /** URL where the browser starts the sign-in. `?next=` is the page to return to. */
    url: string
  } | null
}

export type StreamTicket = {
  /** The ticket. It is shown only once, and is null when the response is replayed. */
  ticket: string | null
  /** RFC 3339 timestamp in UTC with milliseconds. */
  expires_at: string
}

/** What each operation takes and answers. */
export type Operations = {
  /** Start a run */
  createRun: {
    input: {
      org_id: number
      /** What the agent should do. At most 256 KiB. */
      prompt: string
      repo_id?: number | null
      /** Base64 data URIs of PNG, JPEG, GIF, or WebP images. Each may be at most 5 MiB and 8,000 pixels per side. */
      images?: Array<string> | null
      /** Stored with the run. At most 16 KiB and 8 levels of nesting. */
      metadata?: Record<string, unknown> | null
      model?: string | null
      /** How much models think before they answer. The built-in agent asks for it in each provider’s own way; a model that refuses is asked without. */
      effort?: 'none' | 'low' | 'medium' | 'high' | null
      /** How often one turn of the built-in agent may ask a model, up to the limit of the service. */
      max_model_calls?: number | null
      /** The engine, as in `GET …/engines`. `codegen` is the same as `builtin`. */
      agent_type?: string | null
      title?: string | null
      /** The branch to start from. Defaults to the default branch. */
      base_branch?: string | null
      /** An existing branch to continue on. It can't be the default branch. */
      branch?: string | null
      pull_request?: number | null
      /** Defaults to the organization's setting. */
      create_pull_request?: boolean | null
      /** Folders, such as `services/api`. Work trees hold these, and the files next to them and above them, and nothing else. If empty, they hold everything. */
      paths?: Array<string> | null
      max_cost_usd?: number | null
      timeout_minutes?: number | null
      parent_run_id?: number | null
      /** Whether a person must approve the plan first. */
      plan_approval?: boolean | null
      /** JSON Schema (2020-12) for the final answer, which is then also returned as `result_json`. */
      output_schema?: Record<string, unknown> | null
      /** If true, no run is created. The response shows what the run would look like. */
      dry_run?: boolean | null
    }
    answer: AgentRun | DryRun
  }
  /** Send a follow-up */
  resumeRun: {
    input: {
      org_id: number
      agent_run_id: number
      /** At most 256 KiB. */
      prompt: string
      /** Base64 data URIs of PNG, JPEG, GIF, or WebP images. Each may be at most 5 MiB and 8,000 pixels per side. */
      images?: Array<string> | null
    }
    answer: AgentRun
  }
  /** List runs, newest first */
  listRuns: {
    input: {
      skip?: number
      limit?: number
      user_id?: number
      source_type?: 'LOCAL' | 'SLACK' | 'GITHUB' | 'GITHUB_CHECK_SUITE' | 'GITHUB_PR_REVIEW' | 'LINEAR' | 'API' | 'CHAT' | 'JIRA' | 'CLICKUP' | 'MONDAY' | 'SETUP_COMMANDS' | 'GITLAB' | 'GITEA' | 'WEB' | 'CLI' | 'MCP' | 'SCHEDULE' | 'LOG_ANALYSIS'
      status?: Array<'queued' | 'in_progress' | 'waiting_for_user' | 'paused' | 'completed' | 'failed' | 'cancelled'>
      repo_id?: number
      parent_run_id?: number
      agent_type?: string
      created_after?: string
      created_before?: string
      q?: string
      archived?: boolean
      org_id: number
    }
    answer: AgentRunPage
  }
  /** Get a run */
  getRun: {
    input: {
      org_id: number
      agent_run_id: number
    }
    answer: AgentRun
  }
  /** Update a run */
  updateRun: {
    input: {
      org_id: number
      agent_run_id: number
      title?: string
      /** Replaces the existing metadata. */
      metadata?: Record<string, unknown> | null
      archived?: boolean
      model?: string | null
      /** How much models think before they answer. The built-in agent asks for it in each provider’s own way; a model that refuses is asked without. */
      effort?: 'none' | 'low' | 'medium' | 'high' | null
      /** How often one turn of the built-in agent may ask a model, up to the limit of the service. */
      max_model_calls?: number | null
      max_cost_usd?: number | null
      timeout_minutes?: number
    }
    answer: AgentRun
  }
  /** Delete a run */
  deleteRun: {
    input: {
      org_id: number
      agent_run_id: number
    }
    answer: undefined
  }
  /** Cancel a run */
  cancelRun: {
    input: {
      org_id: number
      agent_run_id: number
    }
    answer: AgentRun
  }
  /** Stop a run from fixing checks of its pull request */
  banRun: {
    input: {
      org_id: number
      agent_run_id: number
    }
    answer: AgentRun
  }
  /** Let a run fix checks of its pull request again */
  unbanRun: {
    input: {
      org_id: number
      agent_run_id: number
    }
    answer: AgentRun
  }
  /** Remove a run from its pull request */
  removeRunFromPull: {
    input: {
      org_id: number
      agent_run_id: number
    }
    answer: AgentRun
  }
  /** Get the diff of a run */
  getRunDiff: {
    input: {
      org_id: number
      agent_run_id: number
    }
    answer: string
  }
  /** Get the images and the output schema of a run */
  getRunInput: {
    input: {
      org_id: number
      agent_run_id: number
    }
    answer: RunInput
  }
  /** Download the record of a run */
  getRunRecord: {
    input: {
      org_id: number
      agent_run_id: number
    }
    answer: Uint8Array
  }
  /** Export a run */
  exportRun: {
    input: {
      org_id: number
      agent_run_id: number
    }
    answer: Uint8Array
  }
  /** Pause a run */
  pauseRun: {
    input: {
      org_id: number
      agent_run_id: number
    }
    answer: AgentRun
  }
  /** Continue a paused run */
  continueRun: {
    input: {
      org_id: number
      agent_run_id: number
    }
    answer: AgentRun
  }
  /** Get the timeline of a run */
  getTimeline: {
    input: {
      org_id: number
      agent_run_id: number
    }
    answer: Timeline
  }
  /** Send a message to an active run */
  createMessage: {
    input: {
      org_id: number
      agent_run_id: number
      /** At most 256 KiB. */
      prompt: string
    }
    answer: Message
  }
  /** List messages to a run, oldest first */
  listMessages: {
    input: {
      skip?: number
      limit?: number
      org_id: number
      agent_run_id: number
    }
    answer: MessagePage
  }
  /** Withdraw a message that the agent has not read */
  revokeMessage: {
    input: {
      org_id: number
      agent_run_id: number
      n: number
    }
    answer: undefined
  }
  /** List questions from the agent, oldest first */
  listQuestions: {
    input: {
      skip?: number
      limit?: number
      org_id: number
      agent_run_id: number
    }
    answer: QuestionPage
  }
  /** Answer a question */
  answerQuestion: {
    input: {
      org_id: number
      agent_run_id: number
      n: number
      /** At most 256 KiB. */
      answer: string
    }
    answer: Question
  }
  /** List the artifacts of a run, by name */
  listArtifacts: {
    input: {
      skip?: number
      limit?: number
      org_id: number
      agent_run_id: number
    }
    answer: ArtifactPage
  }
  /** Download an artifact */
  getArtifact: {
    input: {
      org_id: number
      agent_run_id: number
      name: string
    }
    answer: Uint8Array
  }
  /** List tools for agents that run elsewhere */
  listTools: {
    input: {
      org_id: number
    }
    answer: ToolList
  }
  /** Call a tool */
  executeTool: {
    input: {
      org_id: number
      /** As in `GET …/tools`. */
      tool_name: string
      arguments?: Record<string, unknown> | null
    }
    answer: ToolResult
  }
  /** Report the start of a Claude Code session on your machine */
  openClaudeSession: {
    input: {
      org_id: number
      /** As the agent names it. */
      session_id: string
    }
    answer: OutsideSession
  }
  /** Report where a session stands */
  updateClaudeSession: {
    input: {
      org_id: number
      session_id: string
      status: 'ACTIVE' | 'COMPLETE' | 'ERROR'
    }
    answer: OutsideSession
  }
  /** Report what happened in a session */
  reportClaudeSession: {
    input: {
      org_id: number
      session_id: string
      /** The line, parsed. */
      log: Record<string, unknown>
    }
    answer: SessionReport
  }
  /** List engines and whether they are available */
  listEngines: {
    input: {
      skip?: number
      limit?: number
      org_id: number
    }
    answer: EnginePage
  }
  /** Install or update an engine */
  installEngine: {
    input: {
      org_id: number
      engine: string
    }
    answer: Engine
  }
  /** List models and whether they are available */
  listModels: {
    input: {
      skip?: number
      limit?: number
      org_id: number
    }
    answer: ModelPage
  }
  /** Get a run with a page of its log */
  listLog: {
    input: {
      skip?: number
      limit?: number
      reverse?: boolean
      after_seq?: number
      message_type?: Array<'ACTION' | 'PLAN_EVALUATION' | 'FINAL_ANSWER' | 'ERROR' | 'USER_MESSAGE' | 'USER_GITHUB_ISSUE_COMMENT' | 'USER_GITLAB_ISSUE_COMMENT' | 'USER_GITEA_ISSUE_COMMENT' | 'USER_FORGEJO_ISSUE_COMMENT' | 'USER_BITBUCKET_ISSUE_COMMENT' | 'USER_LOCAL_ISSUE_COMMENT' | 'INITIAL_PR_GENERATION' | 'DETECT_PR_ERRORS' | 'FIX_PR_ERRORS' | 'PR_CREATION_FAILED' | 'PR_EVALUATION' | 'COMMIT_EVALUATION' | 'AGENT_RUN_LINK'>
      org_id: number
      agent_run_id: number
    }
    answer: AgentRunWithLogsResponse
  }
  /** Get a run with a page of its log */
  listLogAlpha: {
    input: {
      skip?: number
      limit?: number
      reverse?: boolean
      after_seq?: number
      message_type?: Array<'ACTION' | 'PLAN_EVALUATION' | 'FINAL_ANSWER' | 'ERROR' | 'USER_MESSAGE' | 'USER_GITHUB_ISSUE_COMMENT' | 'USER_GITLAB_ISSUE_COMMENT' | 'USER_GITEA_ISSUE_COMMENT' | 'USER_FORGEJO_ISSUE_COMMENT' | 'USER_BITBUCKET_ISSUE_COMMENT' | 'USER_LOCAL_ISSUE_COMMENT' | 'INITIAL_PR_GENERATION' | 'DETECT_PR_ERRORS' | 'FIX_PR_ERRORS' | 'PR_CREATION_FAILED' | 'PR_EVALUATION' | 'COMMIT_EVALUATION' | 'AGENT_RUN_LINK'>
      org_id: number
      agent_run_id: number
    }
    answer: AgentRunWithLogsResponse
  }
  /** Stream a run's log */
  streamLog: {
    input: {
      after_seq?: number
      ticket?: string
      org_id: number
      agent_run_id: number
    }
    answer: string
  }
  /** Stream the status of all runs */
  streamRuns: {
    input: {
      ticket?: string
      org_id: number
    }
    answer: string
  }
  /** List what needs you, newest first */
  listInbox: {
    input: {
      skip?: number
      limit?: number
      org_id: number
    }
    answer: InboxItemPage
  }
  /** Mark an inbox item as read */
  markRead: {
    input: {
      org_id: number
      notification_id: number
      /** Mark all older items as read too. */
      and_older?: boolean
    }
    answer: InboxItem
  }
  /** Get your inbox settings */
  getInboxSettings: {
    input: {
      org_id: number
    }
    answer: InboxSettings
  }
  /** Replace your inbox settings */
  saveInboxSettings: {
    input: {
      org_id: number
      /** Kinds that the inbox leaves out. */
      muted: Array<'question' | 'plan' | 'failure' | 'merge' | 'review'>
    }
    answer: InboxSettings
  }
  /** List your saved views of the run list */
  listViews: {
    input: {
      skip?: number
      limit?: number
      org_id: number
    }
    answer: ViewPage
  }
  /** Save a view of the run list */
  saveView: {
    input: {
      org_id: number
      name: string
      /** The query string of the run list in the web UI, such as `status=failed&since=week`. */
      query: string
    }
    answer: View
  }
  /** Delete a saved view */
  removeView: {
    input: {
      org_id: number
      view_id: number
    }
    answer: undefined
  }
  /** Create a stream ticket */
  createStreamTicket: {
    input: {
      org_id: number
    }
    answer: StreamTicket
  }
  /** Create a token that shows who you are in Slack */
  createSlackToken: {
    input: {
      org_id: number
    }
    answer: SlackToken
  }
  /** Sign in a browser */
  createSession: {
    input: {
      token: string
    }
    answer: Session
  }
  /** Sign out a browser */
  revokeSession: {
    input: Record<never, never> | undefined
    answer: undefined
  }
  /** List the ways to sign in */
  listSignInWays: {
    input: Record<never, never> | undefined
    answer: SignInWays
  }
  /** List repositories */
  listRepos: {
    input: {
      skip?: number
      limit?: number
      org_id: number
    }
    answer: RepositoryPage
  }
  /** Create, import, or connect a repository */
  createRepo: {
    input: {
      org_id: number
      /** Defaults to the name of the source. */
      name?: string | null
      /** URL of a repository, a path on the server if the operator allows it, or `example` for the example project that comes with Runwright. */
      import_from?: string | null
      description?: string | null
      /** The integration for the code host of the repository. Requires `full_name`. */
      integration_id?: number | null
      /** Owner and name, such as `acme/web`. */
      full_name?: string | null
    }
    answer: Repository
  }
  /** List repositories */
  listRepositories: {
    input: {
      skip?: number
      limit?: number
      org_id: number
    }
    answer: RepositoryPage
  }
  /** Get a repository */
  getRepo: {
    input: {
      org_id: number
      repo_id: number
    }
    answer: Repository
  }
  /** Update a repository */
  updateRepo: {
    input: {
      org_id: number
      repo_id: number
      description?: string | null
      archived?: boolean | null
      /** Labels that a worker must have to execute these runs; it must have all of them. A repository without labels uses those of its organization. */
      labels?: Array<string> | null
      /** Bash commands that prepare the work tree. */
      setup_commands?: string | null
      /** If true, runs fail when the setup fails. If false, they continue without it. */
      setup_required?: boolean | null
      /** Whether setup commands found by a run, and a test command that passes, are accepted without approval by a person. If not set, the organization's setting applies. */
      accept_setup_commands?: boolean | null
      /** When agents review pull requests automatically: never, once when a pull request is ready, or at each commit after pushes have settled. */
      review_pulls?: 'off' | 'opened' | 'each_head' | null
      /** Branches where agents review what people push. */
      watched_branches?: Array<string> | null
      pull_settings?: {
        /** Pull requests are opened as drafts, and marked as ready for review once their checks pass. */
        draft_until_green?: boolean
        /** How the agent updates its branch when it conflicts with the base branch, or must contain it to be merged: by a merge, by a rebase, or not at all. */
        update_branch?: 'off' | 'merge' | 'rebase'
        /** How a pull request is merged once its run is completed, its checks pass, and the code host allows it. `off`: a person merges it. */
        merge_when_green?: 'off' | 'merge' | 'squash' | 'rebase'
        /** The branch is deleted after the merge, if nothing else needs it. */
        delete_branch?: boolean
        /** Labels that each pull request gets. */
        labels?: Array<string>
        /** The commits of runs are made through the API of the code host, which signs them. GitHub does so for an App; commits of a token stay unsigned. */
        sign_commits?: boolean
        /** The names of the branches of new runs. `{run}` is the id of the run and required; `{title}` is made of words of its title. Runs that have a branch keep it. */
        branch_pattern?: string
      } | null
      /** Protects branches of a repository on the built-in host. The first rule whose pattern matches a branch applies. A protected branch cannot be deleted. Without a rule, the default branch refuses force pushes, and other branches allow them. */
      branch_rules?: Array<{
        /** The name of a branch, or a pattern such as `release/*`. */
        pattern: string
        /** Pushes are refused. The branch changes by pull requests only. */
        require_pull: boolean
        /** Names of checks that must pass at the head of a pull request before it can be merged. */
        required_checks: Array<string>
        /** How many people must approve the head of a pull request. A review that requests changes blocks the merge. */
        required_approvals: number
        /** Whether pushes may remove commits. */
        allow_force_push: boolean
      }> | null
      /** Checks that workers run on the built-in host, after the setup commands, at the head of the default branch and of each open pull request. */
      check_commands?: Array<{
        name: string
        /** A bash command. */
        command: string
        /** A folder. The command runs in it, and only if something in it has changed; otherwise the check is skipped. */
        path?: string
      }> | null
      /** Folders, such as `services/api`. Work trees hold these, and the files next to them and above them, and nothing else. If empty, they hold everything. */
      paths?: Array<string> | null
      /** Runs that do not specify a model use the first one, and the next one when that cannot be used. A repository without default models uses those of its organization. */
      default_models?: Array<string> | null
      /** How much models think in runs that do not specify an effort. If null, the organization decides for a repository; otherwise it is `medium`. */
      default_effort?: 'none' | 'low' | 'medium' | 'high' | null
      /** The engine of runs that do not specify one. Without it, the service chooses. */
      default_engine?: string | null
      /** Names of secrets that are set in the environment of every command of the repository's runs. Other secrets must be requested by name. */
      environment_secrets?: Array<string> | null
    }
    answer: Repository
  }
  /** Remove a repository */
  removeRepo: {
    input: {
      delete_runs?: boolean
      org_id: number
      repo_id: number
    }
    answer: undefined
  }
  /** Export a repository */
  exportRepo: {
    input: {
      org_id: number
      repo_id: number
    }
    answer: Uint8Array
  }
  /** List the branches of a repository, the default branch first, then by name */
  listBranches: {
    input: {
      q?: string
      skip?: number
      limit?: number
      org_id: number
      repo_id: number
    }
    answer: BranchPage
  }
  /** Get how agents fix failing checks in a repository */
  getCheckSettings: {
    input: {
      repo_id: number
      org_id: number
    }
    answer: CheckSuiteSettings
  }
  /** Update how agents fix failing checks in a repository */
  saveCheckSettings: {
    input: {
      repo_id: number
      org_id: number
      /** How many times agents try to fix the same failing check, per pull request. 0: never. */
      check_retry_count?: number | null
      /** Names of checks, or of apps that run checks, that agents ignore. */
      ignored_checks?: Array<string> | null
      /** Retry counts for individual checks, or for all checks of an app. */
      check_retry_counts?: Record<string, unknown> | null
      /** Additional instructions for fixing this check, or any check of this app. */
      custom_prompts?: Record<string, unknown> | null
      /** If one of these checks, or a check of one of these apps, fails, agents do not wait for the other checks. */
      high_priority_apps?: Array<string> | null
      /** How long to wait for the checks of a commit to appear. */
      settle_seconds?: number | null
    }
    answer: CheckSuiteSettings
  }
  /** Generate setup commands for a repository */
  generateSetupCommands: {
    input: {
      org_id: number
      repo_id: number
      /** What the agent should know about the setup. */
      prompt?: string | null
      /** What triggered the request, such as `setup-commands`. */
      trigger_source?: string | null
    }
    answer: SetupRun
  }
  /** Try setup commands */
  trySetupCommands: {
    input: {
      org_id: number
      repo_id: number
      /** Bash, run in the root of the work tree. */
      commands: string
      /** A command to run after them. */
      test_command?: string | null
    }
    answer: SetupRun
  }
  /** List setup proposals of a repository, newest first */
  listSetupProposals: {
    input: {
      skip?: number
      limit?: number
      org_id: number
      repo_id: number
    }
    answer: SetupProposalPage
  }
  /** Accept a setup proposal */
  acceptSetupProposal: {
    input: {
      org_id: number
      repo_id: number
      n: number
      /** Whether to add its test command as a check named `test`, unless a check with that name exists. */
      add_check?: boolean | null
    }
    answer: SetupProposal
  }
  /** List snapshots of a repository, newest first */
  listSnapshots: {
    input: {
      skip?: number
      limit?: number
      org_id: number
      repo_id: number
    }
    answer: SnapshotPage
  }
  /** Remove a snapshot */
  removeSnapshot: {
    input: {
      org_id: number
      repo_id: number
      n: number
    }
    answer: undefined
  }
  /** List deploy keys of a repository, newest first */
  listDeployKeys: {
    input: {
      skip?: number
      limit?: number
      org_id: number
      repo_id: number
    }
    answer: DeployKeyPage
  }
  /** Add a deploy key to a repository */
  createDeployKey: {
    input: {
      org_id: number
      repo_id: number
      /** What the key is for, such as the server that has it. */
      title: string
      /** The line of a `.pub` file: an Ed25519 or ECDSA key, or an RSA key of at least 2048 bits. */
      key: string
      /** Whether the key may push, under the same branch rules as members. Otherwise it only clones and fetches. */
      can_push?: boolean
    }
    answer: DeployKey
  }
  /** Remove a deploy key */
  removeDeployKey: {
    input: {
      org_id: number
      repo_id: number
      deploy_key_id: number
    }
    answer: undefined
  }
  /** List pull requests, newest first */
  listPulls: {
    input: {
      repo_id?: number
      run_id?: number
      number?: number
      state?: 'open' | 'closed'
      label?: string
      skip?: number
      limit?: number
      org_id: number
    }
    answer: PullRequestPage
  }
  /** Get a pull request */
  getPull: {
    input: {
      org_id: number
      pr_id: number
    }
    answer: PullRequest
  }
  /** Edit, label, close, or reopen a pull request */
  updatePull: {
    input: {
      org_id: number
      pr_id: number
      state?: 'open' | 'closed' | 'draft' | 'ready_for_review' | null
      title?: string | null
      body?: string | null
      /** All that it then has, on the built-in host. */
      labels?: Array<string> | null
    }
    answer: PullRequestUpdate
  }
  /** Edit, label, close, or reopen a pull request */
  updateRepoPull: {
    input: {
      org_id: number
      repo_id: number
      pr_id: number
      state?: 'open' | 'closed' | 'draft' | 'ready_for_review' | null
      title?: string | null
      body?: string | null
      /** All that it then has, on the built-in host. */
      labels?: Array<string> | null
    }
    answer: PullRequestUpdate
  }
  /** Get the diff of a pull request */
  getPullDiff: {
    input: {
      org_id: number
      pr_id: number
    }
    answer: string
  }
  /** Get lines of a file before or after a pull request */
  getPullFile: {
    input: {
      path: string
      side?: 'base' | 'head'
      from?: number
      to?: number
      org_id: number
      pr_id: number
    }
    answer: PullRequestFileLines
  }
  /** List the files changed by a pull request, by path */
  listPullFiles: {
    input: {
      skip?: number
      limit?: number
      org_id: number
      pr_id: number
    }
    answer: PullRequestFilePage
  }
  /** List comments on a pull request, oldest first */
  listPullComments: {
    input: {
      skip?: number
      limit?: number
      org_id: number
      pr_id: number
    }
    answer: PullRequestCommentPage
  }
  /** Comment on a pull request or one of its lines */
  createPullComment: {
    input: {
      org_id: number
      pr_id: number
      body: string
      /** A file that the pull request changes. Requires `line`. */
      path?: string | null
      line?: number | null
      /** The old (`base`) or new (`head`) version of the file. Default: `head`. */
      side?: 'base' | 'head' | null
      /** A comment on a line of the built-in host: the new one joins its thread. Excludes `path`, `line`, and `side`. */
      in_reply_to?: number | null
    }
    answer: PullRequestComment
  }
  /** Resolve the thread of a comment, or reopen it */
  updatePullComment: {
    input: {
      org_id: number
      pr_id: number
      comment_id: number
      resolved: boolean
    }
    answer: PullRequestComment
  }
  /** List the checks of a pull request */
  listPullChecks: {
    input: {
      skip?: number
      limit?: number
      org_id: number
      pr_id: number
    }
    answer: CheckPage
  }
  /** Get the log of a check of a pull request */
  getPullCheckLog: {
    input: {
      org_id: number
      pr_id: number
      check_key: string
    }
    answer: string
  }
  /** Report a check from external CI */
  reportCheck: {
    input: {
      org_id: number
      repo_id: number
      sha: string
      name: string
      status: 'queued' | 'in_progress' | 'completed'
      /** Required if `status` is `completed`; not allowed otherwise. */
      conclusion?: 'success' | 'failure' | 'cancelled' | 'timed_out' | 'neutral' | 'skipped' | 'action_required' | 'stale' | 'startup_failure' | null
      /** URL with more details. */
      url?: string | null
      summary?: string | null
      /** The last part of the output. */
      log?: string | null
    }
    answer: Check
  }
  /** Merge a pull request */
  mergePull: {
    input: {
      org_id: number
      pr_id: number
      /** Defaults to a merge commit. */
      method?: 'merge' | 'squash' | 'rebase' | null
      /** The head commit that you have reviewed. If the branch has changed since then, nothing is merged. */
      expected_head?: string | null
    }
    answer: PullRequest
  }
  /** Open a pull request that reverts a merged one */
  revertPull: {
    input: {
      org_id: number
      pr_id: number
    }
    answer: PullRequest
  }
  /** Delete the branch of a merged pull request */
  deletePullBranch: {
    input: {
      org_id: number
      pr_id: number
    }
    answer: PullRequest
  }
  /** List the reviews of a pull request written in Runwright, oldest first */
  listReviews: {
    input: {
      skip?: number
      limit?: number
      org_id: number
      pr_id: number
    }
    answer: PullRequestReviewPage
  }
  /** Review a pull request */
  createReview: {
    input: {
      org_id: number
      pr_id: number
      /** Default: `comment`. */
      verdict?: 'comment' | 'approve' | 'request_changes' | null
      body: string
      /** Comments on lines shown in the diff. Other comments are added to the body. */
      comments?: Array<{
        path: string
        /** The first line, if it is about several. */
        start_line?: number | null
        line: number
        side?: 'base' | 'head' | null
        body: string
        /** What should stand in place of the lines. People can apply it with a click on hosts that have that. */
        suggestion?: string | null
      }> | null
    }
    answer: PullRequestReview
  }
  /** Give one task to several contestants */
  createComparison: {
    input: {
      org_id: number
      /** What all contestants should do. At most 256 KiB. */
      prompt: string
      title?: string | null
      repo_id?: number | null
      /** The branch to start from. Defaults to the default branch. */
      base_branch?: string | null
      /** Folders, such as `services/api`. Work trees hold these, and the files next to them and above them, and nothing else. If empty, they hold everything. */
      paths?: Array<string> | null
      /** Of each run. */
      max_cost_usd?: number | null
      /** How often one turn of the built-in agent may ask a model, up to the limit of the service. */
      max_model_calls?: number | null
      /** Of each run. */
      timeout_minutes?: number | null
      /** They make 2 to 8 runs together. */
      contestants: Array<{
        name?: string | null
        agent_type?: string | null
        model?: string | null
        /** One contestant for each, instead of `model`. */
        models?: Array<string> | null
        /** How much models think before they answer. The built-in agent asks for it in each provider’s own way; a model that refuses is asked without. */
        effort?: 'none' | 'low' | 'medium' | 'high' | null
        /** Instead of the prompt of the comparison. */
        prompt?: string | null
        metadata?: Record<string, unknown> | null
        /** How many runs, all alike. Defaults to 1. */
        count?: number | null
      }>
      /** Commands that are run over a clean work tree of each contestant. Defaults to the checks of the repository, as `.runwright.yml` or its settings have them. */
      judges?: Array<{
        name?: string | null
        /** It passes a contestant if it exits with 0. */
        command: string
        timeout_seconds?: number | null
      }> | null
      /** Files that are put over the work tree before it is judged, 512 KiB together, such as tests that no contestant sees. They are stored as secrets and never returned. */
      judge_files?: Array<{
        /** In the work tree. */
        path: string
        /** In base64. */
        content: string
      }> | null
    }
    answer: Comparison
  }
  /** List comparisons, newest first */
  listComparisons: {
    input: {
      skip?: number
      limit?: number
      run_id?: number
      org_id: number
    }
    answer: ComparisonPage
  }
  /** Get a comparison with its contestants */
  getComparison: {
    input: {
      org_id: number
      comparison_id: number
    }
    answer: Comparison
  }
  /** Get what a judge printed */
  getVerdictLog: {
    input: {
      org_id: number
      comparison_id: number
      verdict_id: number
    }
    answer: string
  }
  /** Keep the work of one contestant */
  keepWinner: {
    input: {
      org_id: number
      comparison_id: number
      run_id: number
      /** Whether to open a pull request for it. Defaults to false. */
      open_pull_request?: boolean | null
    }
    answer: Comparison
  }
  /** Cancel the open runs of a comparison */
  cancelComparison: {
    input: {
      org_id: number
      comparison_id: number
    }
    answer: Comparison
  }
  /** Request a review from an agent */
  requestReview: {
    input: {
      org_id: number
      pr_id: number
      /** The engine. Defaults to the built-in agent, which needs a model. */
      agent_type?: string | null
      model?: string | null
    }
    answer: AgentRun
  }
  /** Request a review from a person */
  requestReviewer: {
    input: {
      org_id: number
      pr_id: number
      user_id: number
    }
    answer: PullRequest
  }
  /** Remove a reviewer from a pull request */
  removeReviewer: {
    input: {
      org_id: number
      pr_id: number
      user_id: number
    }
    answer: PullRequest
  }
  /** List the issues of a repository on the built-in host, newest first */
  listIssues: {
    input: {
      skip?: number
      limit?: number
      state?: 'open' | 'closed' | 'all'
      org_id: number
      repo_id: number
    }
    answer: IssuePage
  }
  /** Open an issue in a repository on the built-in host */
  createIssue: {
    input: {
      org_id: number
      repo_id: number
      title: string
      body?: string | null
      labels?: Array<string> | null
      assigned_to_agent?: boolean | null
    }
    answer: Issue
  }
  /** Get an issue on the built-in host */
  getIssue: {
    input: {
      org_id: number
      repo_id: number
      n: number
    }
    answer: Issue
  }
  /** Edit, close, label, or assign an issue on the built-in host */
  updateIssue: {
    input: {
      org_id: number
      repo_id: number
      n: number
      title?: string | null
      body?: string | null
      state?: 'open' | 'closed' | null
      labels?: Array<string> | null
      assigned_to_agent?: boolean | null
    }
    answer: Issue
  }
  /** List comments on an issue, oldest first */
  listIssueComments: {
    input: {
      skip?: number
      limit?: number
      org_id: number
      repo_id: number
      n: number
    }
    answer: IssueCommentPage
  }
  /** Comment on an issue */
  createIssueComment: {
    input: {
      org_id: number
      repo_id: number
      n: number
      body: string
    }
    answer: IssueComment
  }
  /** List the organizations that the token can access */
  listOrganizations: {
    input: {
      skip?: number
      limit?: number
    } | undefined
    answer: OrganizationPage
  }
  /** Create an organization */
  createOrganization: {
    input: {
      name: string
    }
    answer: Organization
  }
  /** Get an organization */
  getOrganization: {
    input: {
      org_id: number
    }
    answer: Organization
  }
  /** Update an organization */
  updateOrganization: {
    input: {
      org_id: number
      name?: string | null
      settings?: {
        enable_pr_creation?: boolean | null
        enable_rules_detection?: boolean | null
        /** Minimum enforcement for each limit, from weakest to strongest: `none`, `polled`, `per-process`, `kernel`. Runs are refused if no worker meets it. Replaces the previous requirements. */
        sandbox_require?: {
          memory?: 'none' | 'polled' | 'per-process' | 'kernel'
          cpu?: 'none' | 'polled' | 'per-process' | 'kernel'
          processes?: 'none' | 'polled' | 'per-process' | 'kernel'
          disk?: 'none' | 'polled' | 'per-process' | 'kernel'
          network?: 'none' | 'polled' | 'per-process' | 'kernel'
          kill?: 'none' | 'polled' | 'per-process' | 'kernel'
        } | null
        /** The name people use to mention the agent on code hosts, without the `@`. */
        agent_name?: string | null
        /** Adding this label to an issue assigns the issue to the agent. Empty: no label does. */
        trigger_label?: string | null
        accept_setup_commands?: boolean | null
        /** When agents review pull requests automatically: never, once when a pull request is ready, or at each commit after pushes have settled. */
        review_pulls?: 'off' | 'opened' | 'each_head' | null
        enable_review_approval?: boolean | null
        require_mentions?: boolean | null
        own_workers_only?: boolean | null
        /** How many days each part of a run is kept after the run ended; null: until the run is deleted. A run whose log or repository was deleted cannot continue. Fields that are omitted are left unchanged. */
        retention?: {
          /** The runs themselves, with everything below. */
          runs?: number | null
          /** Logs, what sandboxes printed, and the steps from which a run continues. */
          logs?: number | null
          /** Files that runs left. */
          artifacts?: number | null
          /** Network requests of sandboxes. */
          egress?: number | null
          /** The single model calls. Their sums stay in usage and budgets. */
          model_calls?: number | null
          /** The repositories of runs without a repository. */
          repositories?: number | null
        } | null
        /** How many days after its end a run's log moves from the database to the blob store, where it takes less space. It reads the same. Null: never. */
        archive_logs_after_days?: number | null
      } | null
      /** Labels that a worker must have to execute these runs; it must have all of them. A repository without labels uses those of its organization. */
      labels?: Array<string> | null
      /** Runs that do not specify a model use the first one, and the next one when that cannot be used. A repository without default models uses those of its organization. */
      default_models?: Array<string> | null
      /** How much models think in runs that do not specify an effort. If null, the organization decides for a repository; otherwise it is `medium`. */
      default_effort?: 'none' | 'low' | 'medium' | 'high' | null
      limits?: {
        max_running?: number | null
        /** At most what the operator allows. With an operator's token, sets what they allow. */
        storage_bytes_max?: number | null
      } | null
    }
    answer: Organization
  }
  /** Delete an organization */
  deleteOrganization: {
    input: {
      confirm: string
      org_id: number
    }
    answer: undefined
  }
  /** Export an organization */
  exportOrganization: {
    input: {
      org_id: number
    }
    answer: Uint8Array
  }
  /** List members */
  listMembers: {
    input: {
      skip?: number
      limit?: number
      org_id: number
    }
    answer: UserPage
  }
  /** Add a member */
  createMember: {
    input: {
      org_id: number
      /** Omit for a service account. */
      email?: string | null
      full_name?: string | null
      /** Default: `MEMBER`. */
      role?: 'ADMIN' | 'MANAGER' | 'MEMBER' | null
    }
    answer: User
  }
  /** Change a member's role or GitHub identity */
  updateMember: {
    input: {
      org_id: number
      user_id: number
      role?: 'ADMIN' | 'MANAGER' | 'MEMBER' | null
      /** The numeric GitHub user ID, which stays the same when the username changes. */
      github_user_id?: string | null
      /** Display only. Requires `github_user_id`. */
      github_username?: string | null
    }
    answer: User
  }
  /** Remove a member, or leave */
  removeMember: {
    input: {
      org_id: number
      user_id: number
    }
    answer: undefined
  }
  /** List the members of an organization */
  listUsers: {
    input: {
      skip?: number
      limit?: number
      org_id: number
    }
    answer: UserPage
  }
  /** Get a member of an organization */
  getUser: {
    input: {
      org_id: number
      user_id: number
    }
    answer: User
  }
  /** Get the current user */
  getMe: {
    input: Record<never, never> | undefined
    answer: Me
  }
  /** Update the current user */
  updateMe: {
    input: {
      full_name?: string | null
      user_custom_prompt?: string | null
    } | undefined
    answer: Me
  }
  /** Delete your account */
  deleteMe: {
    input: {
      confirm: string
    }
    answer: undefined
  }
  /** Export your account */
  exportMe: {
    input: Record<never, never> | undefined
    answer: Uint8Array
  }
  /** List tokens */
  listTokens: {
    input: {
      skip?: number
      limit?: number
      org_id: number
    }
    answer: TokenPage
  }
  /** Create a token */
  createToken: {
    input: {
      org_id: number
      name: string
      /** Each scope includes the ones before it. Defaults to everything that the role allows. */
      scopes?: Array<'read' | 'run' | 'manage' | 'admin'> | null
      /** Defaults to never. */
      expires_at?: string | null
      /** Creates the token for another user. Requires an ADMIN. */
      user_id?: number | null
    }
    answer: NewToken
  }
  /** Rotate a token */
  rotateToken: {
    input: {
      org_id: number
      token_id: number
    }
    answer: NewToken
  }
  /** Revoke a token */
  revokeToken: {
    input: {
      org_id: number
      token_id: number
    }
    answer: undefined
  }
  /** Get the organization's rules and the user's prompt */
  getClientRules: {
    input: {
      org_id: number
    }
    answer: ClientRules
  }
  /** Get the organization's rules for agents */
  getRules: {
    input: {
      org_id: number
    }
    answer: Rules
  }
  /** Set the organization's rules for agents */
  saveRules: {
    input: {
      org_id: number
      rules: string | null
    }
    answer: Rules
  }
  /** List organization secrets, without their values */
  listSecrets: {
    input: {
      skip?: number
      limit?: number
      org_id: number
    }
    answer: SecretPage
  }
  /** Set an organization secret */
  saveSecret: {
    input: {
      org_id: number
      name: string
      /** 8 bytes to 16 KiB, with at least 5 different bytes. No response ever shows the value. */
      value: string
    }
    answer: Secret
  }
  /** Remove an organization secret */
  removeSecret: {
    input: {
      org_id: number
      name: string
    }
    answer: undefined
  }
  /** List repository secrets, without their values */
  listRepoSecrets: {
    input: {
      skip?: number
      limit?: number
      org_id: number
      repo_id: number
    }
    answer: SecretPage
  }
  /** Set a repository secret */
  saveRepoSecret: {
    input: {
      org_id: number
      repo_id: number
      name: string
      /** 8 bytes to 16 KiB, with at least 5 different bytes. No response ever shows the value. */
      value: string
    }
    answer: Secret
  }
  /** Remove a repository secret */
  removeRepoSecret: {
    input: {
      org_id: number
      repo_id: number
      name: string
    }
    answer: undefined
  }
  /** Get the egress policy of an organization */
  getEgress: {
    input: {
      org_id: number
    }
    answer: Egress
  }
  /** Set the egress policy of an organization */
  saveEgress: {
    input: {
      org_id: number
      /** Allowed host names: `example.com`, or `*.example.com` for all of its subdomains. Add `:port` for ports other than 443 and 80. */
      allow?: Array<string>
      /** Predefined sets of hosts, each for one kind of program. */
      presets?: Array<'npm' | 'pypi' | 'crates' | 'go' | 'debian' | 'github'>
      /** Whether `.runwright.yml` on a base branch may allow more hosts for runs of its repository. */
      from_file?: boolean
    }
    answer: Egress
  }
  /** Get the additional egress policy of a repository */
  getRepoEgress: {
    input: {
      org_id: number
      repo_id: number
    }
    answer: Egress
  }
  /** Set the additional egress policy of a repository */
  saveRepoEgress: {
    input: {
      org_id: number
      repo_id: number
      /** Allowed host names: `example.com`, or `*.example.com` for all of its subdomains. Add `:port` for ports other than 443 and 80. */
      allow?: Array<string>
      /** Predefined sets of hosts, each for one kind of program. */
      presets?: Array<'npm' | 'pypi' | 'crates' | 'go' | 'debian' | 'github'>
      /** Whether `.runwright.yml` on a base branch may allow more hosts for runs of its repository. */
      from_file?: boolean
    }
    answer: Egress
  }
  /** List network requests of a run and their outcomes */
  listRunEgress: {
    input: {
      skip?: number
      limit?: number
      org_id: number
      agent_run_id: number
    }
    answer: EgressRequestPage
  }
  /** List network requests of a sandbox and their outcomes */
  listSandboxEgress: {
    input: {
      skip?: number
      limit?: number
      org_id: number
      sandbox_id: number
    }
    answer: EgressRequestPage
  }
  /** List sandboxes, newest first */
  listSandboxes: {
    input: {
      skip?: number
      limit?: number
      agent_run_id?: number
      org_id: number
    }
    answer: SandboxPage
  }
  /** Get a sandbox */
  getSandbox: {
    input: {
      org_id: number
      sandbox_id: number
    }
    answer: Sandbox
  }
  /** List commands that ran in a sandbox, oldest first */
  listSandboxLog: {
    input: {
      skip?: number
      limit?: number
      org_id: number
      sandbox_id: number
    }
    answer: SandboxCommandPage
  }
  /** Explain what went wrong in a sandbox */
  analyzeLogs: {
    input: {
      org_id: number
      sandbox_id: number
    }
    answer: LogAnalysis
  }
  /** List integrations */
  listIntegrations: {
    input: {
      org_id: number
    }
    answer: Integrations
  }
  /** Connect a code host */
  createIntegration: {
    input: {
      org_id: number
      type: 'github'
      /** For GitHub Enterprise, such as `https://github.example.com/api/v3`. */
      base_url?: string | null
      app_id?: number | null
      installation_id?: number | null
      /** A personal access token. */
      token?: string | null
      /** The private key of the GitHub App, in PEM format. */
      private_key?: string | null
      /** The secret that the code host signs its events with. The previous one remains valid. */
      webhook_secret?: string | null
    }
    answer: Integration
  }
  /** List the names of what an organization is connected with */
  listConnectedProviders: {
    input: {
      org_id: number
    }
    answer: ConnectedProviders
  }
  /** Disconnect a provider from an organization */
  disconnectProvider: {
    input: {
      org_id: number
      provider: string
    }
    answer: Disconnected
  }
  /** Start creating a GitHub App for the organization */
  createAppForm: {
    input: {
      org_id: number
      /** The page to return to. Defaults to the web UI. */
      return_url?: string | null
      /** For GitHub Enterprise. */
      base_url?: string | null
      /** The GitHub organization that will own the App. Defaults to the person's own account. */
      account?: string | null
    }
    answer: AppForm
  }
  /** Finish creating a GitHub App and connect it */
  finishAppForm: {
    input: {
      org_id: number
      /** The `code` from GitHub. */
      form_code: string
      /** The `state` from GitHub. */
      form_state: string
    }
    answer: Integration
  }
  /** Update or disable an integration */
  updateIntegration: {
    input: {
      org_id: number
      integration_id: number
      active?: boolean | null
      installation_id?: number | null
      /** A personal access token. */
      token?: string | null
      /** The private key of the GitHub App, in PEM format. */
      private_key?: string | null
      /** The secret that the code host signs its events with. The previous one remains valid. */
      webhook_secret?: string | null
    }
    answer: Integration
  }
  /** Disconnect a code host */
  removeIntegration: {
    input: {
      org_id: number
      integration_id: number
    }
    answer: undefined
  }
  /** Sync an integration now */
  syncIntegration: {
    input: {
      org_id: number
      integration_id: number
    }
    answer: undefined
  }
  /** Check the health of an integration */
  getIntegrationHealth: {
    input: {
      org_id: number
      integration_id: number
    }
    answer: IntegrationHealth
  }
  /** List failed jobs, latest first */
  listFailedJobs: {
    input: {
      skip?: number
      limit?: number
      org_id: number
    }
    answer: FailedJobPage
  }
  /** Retry a failed job */
  retryJob: {
    input: {
      org_id: number
      job_id: number
    }
    answer: undefined
  }
  /** Get storage use and limits */
  getStorage: {
    input: {
      org_id: number
    }
    answer: Storage
  }
  /** List who changed what, newest first */
  listAuditEntries: {
    input: {
      skip?: number
      limit?: number
      user_id?: number
      action?: string
      from?: string
      to?: string
      org_id: number
    }
    answer: AuditEntryPage
  }
  /** Get model usage and cost */
  listUsage: {
    input: {
      skip?: number
      limit?: number
      group_by?: Array<'day' | 'user' | 'repo' | 'engine' | 'model'>
      from?: string
      to?: string
      user_id?: number
      repo_id?: number
      org_id: number
    }
    answer: UsagePage
  }
  /** List budgets and their spending */
  listBudgets: {
    input: {
      skip?: number
      limit?: number
      org_id: number
    }
    answer: BudgetPage
  }
  /** Create a budget */
  createBudget: {
    input: {
      org_id: number
      limit_usd: number
      /** Days and months are in UTC. `total` never resets. */
      period?: 'day' | 'month' | 'total'
      user_id?: number | null
      repo_id?: number | null
    }
    answer: Budget
  }
  /** Update a budget */
  updateBudget: {
    input: {
      org_id: number
      budget_id: number
      limit_usd?: number
      /** Days and months are in UTC. `total` never resets. */
      period?: 'day' | 'month' | 'total'
    }
    answer: Budget
  }
  /** Remove a budget */
  removeBudget: {
    input: {
      org_id: number
      budget_id: number
    }
    answer: undefined
  }
  /** List MCP servers */
  listMcpServers: {
    input: {
      skip?: number
      limit?: number
      repo_id?: number
      org_id: number
    }
    answer: McpServerPage
  }
  /** Add an MCP server */
  createMcpServer: {
    input: {
      org_id: number
      /** Part of the names of its tools: `mcp__name__tool`. */
      name: string
      repo_id?: number | null
      /** Address of a remote server (streamable HTTP, or server-sent events). Hosts of private networks need RUNWRIGHT_PRIVATE_HOSTS. */
      url?: string | null
      /** HTTP headers for a remote server. `${NAME}` stands for the secret NAME. Everything else is shown to members. */
      headers?: Record<string, unknown>
      /** Program and arguments of a local server. It starts in the sandbox of each run and speaks over stdin and stdout. */
      command?: Array<string> | null
      /** Environment of a local server. `${NAME}` stands for the secret NAME. Everything else is shown to members. */
      env?: Record<string, unknown>
      enabled?: boolean
    }
    answer: McpServer
  }
  /** List MCP servers as providers */
  listMcpProviders: {
    input: Record<never, never> | undefined
    answer: McpProviders
  }
  /** List model providers of the organization */
  listModelProviders: {
    input: {
      skip?: number
      limit?: number
      org_id: number
    }
    answer: ModelProviderPage
  }
  /** Add a model provider */
  createModelProvider: {
    input: {
      org_id: number
      /** First part of the names of its models: `name/model`. `anthropic`, `openai` or `google` replaces the provider of the service with that name for this organization; its `kind` must fit. */
      name: string
      /** The API it speaks: Anthropic’s messages, OpenAI’s responses (`openai`) or chat completions (`openai_chat`), or Google’s Gemini API. */
      kind: 'anthropic' | 'openai' | 'openai_chat' | 'google'
      /** Its address. Null: the address of Anthropic, OpenAI or Google. Hosts of private networks need RUNWRIGHT_PRIVATE_HOSTS. */
      base_url?: string | null
      /** Whether its models are asked with the keys of members alone. The organization then stores no key, and runs of members without one fail. */
      member_keys_only?: boolean
      /** Its API key, or the token that Anthropic gives to a subscriber (`sk-ant-oat…`). It is stored encrypted, used for calls of models alone, and never shown. */
      key?: string | null
      /** The only models that runs may use, as the provider calls them. Null: all that it has. */
      models?: Array<string> | null
      /** Price of a million input tokens. Null: as in the price list of the service. */
      input_usd?: number | null
      /** Price of a million output tokens. Set together with `input_usd`. */
      output_usd?: number | null
      /** Whether it is tried first: its models are listed, and nothing is saved if that fails. */
      check?: boolean
    }
    answer: ModelProvider
  }
  /** Update a model provider */
  updateModelProvider: {
    input: {
      org_id: number
      model_provider_id: number
      /** Whether its models are asked with the keys of members alone. The organization then stores no key, and runs of members without one fail. */
      member_keys_only?: boolean
      /** Its address. Null: the address of Anthropic, OpenAI or Google. Hosts of private networks need RUNWRIGHT_PRIVATE_HOSTS. */
      base_url?: string | null
      /** The only models that runs may use, as the provider calls them. Null: all that it has. */
      models?: Array<string> | null
      /** Price of a million input tokens. Null: as in the price list of the service. */
      input_usd?: number | null
      /** Price of a million output tokens. Set together with `input_usd`. */
      output_usd?: number | null
      /** Its API key, or the token that Anthropic gives to a subscriber (`sk-ant-oat…`). It is stored encrypted, used for calls of models alone, and never shown. */
      key?: string | null
      /** Whether it is tried first: its models are listed, and nothing is saved if that fails. */
      check?: boolean
    }
    answer: ModelProvider
  }
  /** Remove a model provider */
  removeModelProvider: {
    input: {
      org_id: number
      model_provider_id: number
    }
    answer: undefined
  }
  /** Set your own key for a model provider */
  saveMemberKey: {
    input: {
      org_id: number
      model_provider_id: number
      /** Its API key, or the token that Anthropic gives to a subscriber (`sk-ant-oat…`). It is stored encrypted, used for calls of models alone, and never shown. */
      key: string
      /** The address that the key is meant for, as the model provider has it. It is saved for no other one. */
      base_url: string | null
      /** Whether it is tried first: its models are listed, and nothing is saved if that fails. */
      check?: boolean
    }
    answer: MemberKey
  }
  /** Remove your own key for a model provider */
  removeMemberKey: {
    input: {
      org_id: number
      model_provider_id: number
    }
    answer: undefined
  }
  /** Try a model provider */
  tryModelProvider: {
    input: {
      org_id: number
      model_provider_id: number
    }
    answer: ModelProviderTrial
  }
  /** Update an MCP server */
  updateMcpServer: {
    input: {
      org_id: number
      mcp_server_id: number
      /** Part of the names of its tools: `mcp__name__tool`. */
      name?: string
      /** Address of a remote server (streamable HTTP, or server-sent events). Hosts of private networks need RUNWRIGHT_PRIVATE_HOSTS. */
      url?: string | null
      /** HTTP headers for a remote server. `${NAME}` stands for the secret NAME. Everything else is shown to members. */
      headers?: Record<string, unknown>
      /** Program and arguments of a local server. It starts in the sandbox of each run and speaks over stdin and stdout. */
      command?: Array<string> | null
      /** Environment of a local server. `${NAME}` stands for the secret NAME. Everything else is shown to members. */
      env?: Record<string, unknown>
      enabled?: boolean
    }
    answer: McpServer
  }
  /** Remove an MCP server */
  removeMcpServer: {
    input: {
      org_id: number
      mcp_server_id: number
    }
    answer: undefined
  }
  /** Try an MCP server */
  tryMcpServer: {
    input: {
      org_id: number
      mcp_server_id: number
    }
    answer: McpTrial
  }
  /** List worker tokens, newest first */
  listWorkerTokens: {
    input: {
      skip?: number
      limit?: number
      org_id: number
    }
    answer: WorkerTokenPage
  }
  /** Create a worker token */
  createWorkerToken: {
    input: {
      org_id: number
      /** The machine or the group of machines that it is for. */
      name: string
      /** Labels that workers with this token may have. Null: any. */
      labels?: Array<string> | null
      /** Defaults to never. */
      expires_at?: string | null
    }
    answer: NewWorkerToken
  }
  /** Revoke a worker token */
  revokeWorkerToken: {
    input: {
      org_id: number
      worker_token_id: number
    }
    answer: undefined
  }
  /** Get the rate limits of your token */
  listRateLimits: {
    input: {
      skip?: number
      limit?: number
      org_id: number
    }
    answer: RateLimitPage
  }
  /** Check that the process responds */
  getHealth: {
    input: Record<never, never> | undefined
    answer: Health
  }
  /** Check that this process can take requests */
  getReadiness: {
    input: Record<never, never> | undefined
    answer: Health
  }
  /** Check that the service works */
  getServiceStatus: {
    input: Record<never, never> | undefined
    answer: ServiceStatus
  }
}

/** Where each operation is found; in `query` the names of what is not in its path or its body. */
export const operations = {
  createRun: { tag: 'runs', method: 'POST', path: '/v1/organizations/{org_id}/agent/run', query: [], hasBody: true, mediaType: 'application/json' },
  resumeRun: { tag: 'runs', method: 'POST', path: '/v1/organizations/{org_id}/agent/run/resume', query: [], hasBody: true, mediaType: 'application/json' },
  listRuns: { tag: 'runs', method: 'GET', path: '/v1/organizations/{org_id}/agent/runs', query: ['skip', 'limit', 'user_id', 'source_type', 'status', 'repo_id', 'parent_run_id', 'agent_type', 'created_after', 'created_before', 'q', 'archived'], hasBody: false, mediaType: 'application/json' },
  getRun: { tag: 'runs', method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}', query: [], hasBody: false, mediaType: 'application/json' },
  updateRun: { tag: 'runs', method: 'PATCH', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}', query: [], hasBody: true, mediaType: 'application/json' },
  deleteRun: { tag: 'runs', method: 'DELETE', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}', query: [], hasBody: false, mediaType: null },
  cancelRun: { tag: 'runs', method: 'POST', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/cancel', query: [], hasBody: false, mediaType: 'application/json' },
  banRun: { tag: 'runs', method: 'POST', path: '/v1/organizations/{org_id}/agent/run/ban', query: [], hasBody: true, mediaType: 'application/json' },
  unbanRun: { tag: 'runs', method: 'POST', path: '/v1/organizations/{org_id}/agent/run/unban', query: [], hasBody: true, mediaType: 'application/json' },
  removeRunFromPull: { tag: 'runs', method: 'POST', path: '/v1/organizations/{org_id}/agent/run/remove-from-pr', query: [], hasBody: true, mediaType: 'application/json' },
  getRunDiff: { tag: 'runs', method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/diff', query: [], hasBody: false, mediaType: 'text/x-diff' },
  getRunInput: { tag: 'runs', method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/input', query: [], hasBody: false, mediaType: 'application/json' },
  getRunRecord: { tag: 'runs', method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/record', query: [], hasBody: false, mediaType: 'application/octet-stream' },
  exportRun: { tag: 'runs', method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/export', query: [], hasBody: false, mediaType: 'application/octet-stream' },
  pauseRun: { tag: 'runs', method: 'POST', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/pause', query: [], hasBody: false, mediaType: 'application/json' },
  continueRun: { tag: 'runs', method: 'POST', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/continue', query: [], hasBody: false, mediaType: 'application/json' },
  getTimeline: { tag: 'runs', method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/timeline', query: [], hasBody: false, mediaType: 'application/json' },
  createMessage: { tag: 'messages', method: 'POST', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/messages', query: [], hasBody: true, mediaType: 'application/json' },
  listMessages: { tag: 'messages', method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/messages', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  revokeMessage: { tag: 'messages', method: 'DELETE', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/messages/{n}', query: [], hasBody: false, mediaType: null },
  listQuestions: { tag: 'questions', method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/questions', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  answerQuestion: { tag: 'questions', method: 'POST', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/questions/{n}/answer', query: [], hasBody: true, mediaType: 'application/json' },
  listArtifacts: { tag: 'artifacts', method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/artifacts', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  getArtifact: { tag: 'artifacts', method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/artifacts/{name}', query: [], hasBody: false, mediaType: 'application/octet-stream' },
  listTools: { tag: 'tools', method: 'GET', path: '/v1/organizations/{org_id}/tools', query: [], hasBody: false, mediaType: 'application/json' },
  executeTool: { tag: 'tools', method: 'POST', path: '/v1/organizations/{org_id}/tools/execute', query: [], hasBody: true, mediaType: 'application/json' },
  openClaudeSession: { tag: 'claudeCodeSessions', method: 'POST', path: '/v1/organizations/{org_id}/claude_code/session', query: [], hasBody: true, mediaType: 'application/json' },
  updateClaudeSession: { tag: 'claudeCodeSessions', method: 'POST', path: '/v1/organizations/{org_id}/claude_code/session/{session_id}/status', query: [], hasBody: true, mediaType: 'application/json' },
  reportClaudeSession: { tag: 'claudeCodeSessions', method: 'POST', path: '/v1/organizations/{org_id}/claude_code/session/{session_id}/log', query: [], hasBody: true, mediaType: 'application/json' },
  listEngines: { tag: 'engines', method: 'GET', path: '/v1/organizations/{org_id}/engines', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  installEngine: { tag: 'engines', method: 'POST', path: '/v1/organizations/{org_id}/engines/{engine}/install', query: [], hasBody: false, mediaType: 'application/json' },
  listModels: { tag: 'engines', method: 'GET', path: '/v1/organizations/{org_id}/models', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  listLog: { tag: 'logs', method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/logs', query: ['skip', 'limit', 'reverse', 'after_seq', 'message_type'], hasBody: false, mediaType: 'application/json' },
  listLogAlpha: { tag: 'logs', method: 'GET', path: '/v1/alpha/organizations/{org_id}/agent/run/{agent_run_id}/logs', query: ['skip', 'limit', 'reverse', 'after_seq', 'message_type'], hasBody: false, mediaType: 'application/json' },
  streamLog: { tag: 'logs', method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/logs/stream', query: ['after_seq', 'ticket'], hasBody: false, mediaType: 'text/event-stream' },
  streamRuns: { tag: 'runs', method: 'GET', path: '/v1/organizations/{org_id}/agent/runs/stream', query: ['ticket'], hasBody: false, mediaType: 'text/event-stream' },
  listInbox: { tag: 'inbox', method: 'GET', path: '/v1/organizations/{org_id}/inbox', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  markRead: { tag: 'inbox', method: 'POST', path: '/v1/organizations/{org_id}/inbox/{notification_id}/read', query: [], hasBody: true, mediaType: 'application/json' },
  getInboxSettings: { tag: 'inbox', method: 'GET', path: '/v1/organizations/{org_id}/inbox/settings', query: [], hasBody: false, mediaType: 'application/json' },
  saveInboxSettings: { tag: 'inbox', method: 'PUT', path: '/v1/organizations/{org_id}/inbox/settings', query: [], hasBody: true, mediaType: 'application/json' },
  listViews: { tag: 'inbox', method: 'GET', path: '/v1/organizations/{org_id}/views', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  saveView: { tag: 'inbox', method: 'POST', path: '/v1/organizations/{org_id}/views', query: [], hasBody: true, mediaType: 'application/json' },
  removeView: { tag: 'inbox', method: 'DELETE', path: '/v1/organizations/{org_id}/views/{view_id}', query: [], hasBody: false, mediaType: null },
  createStreamTicket: { tag: 'tokens', method: 'POST', path: '/v1/organizations/{org_id}/stream-tickets', query: [], hasBody: false, mediaType: 'application/json' },
  createSlackToken: { tag: 'tokens', method: 'POST', path: '/v1/slack-connect/generate-token', query: [], hasBody: true, mediaType: 'application/json' },
  createSession: { tag: 'sessions', method: 'POST', path: '/v1/session', query: [], hasBody: true, mediaType: 'application/json' },
  revokeSession: { tag: 'sessions', method: 'DELETE', path: '/v1/session', query: [], hasBody: false, mediaType: null },
  listSignInWays: { tag: 'sessions', method: 'GET', path: '/v1/sign-in-ways', query: [], hasBody: false, mediaType: 'application/json' },
  listRepos: { tag: 'repositories', method: 'GET', path: '/v1/organizations/{org_id}/repos', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  createRepo: { tag: 'repositories', method: 'POST', path: '/v1/organizations/{org_id}/repos', query: [], hasBody: true, mediaType: 'application/json' },
  listRepositories: { tag: 'repositories', method: 'GET', path: '/v1/organizations/{org_id}/repositories', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  getRepo: { tag: 'repositories', method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}', query: [], hasBody: false, mediaType: 'application/json' },
  updateRepo: { tag: 'repositories', method: 'PATCH', path: '/v1/organizations/{org_id}/repos/{repo_id}', query: [], hasBody: true, mediaType: 'application/json' },
  removeRepo: { tag: 'repositories', method: 'DELETE', path: '/v1/organizations/{org_id}/repos/{repo_id}', query: ['delete_runs'], hasBody: false, mediaType: null },
  exportRepo: { tag: 'repositories', method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}/export', query: [], hasBody: false, mediaType: 'application/octet-stream' },
  listBranches: { tag: 'repositories', method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}/branches', query: ['q', 'skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  getCheckSettings: { tag: 'repositories', method: 'GET', path: '/v1/organizations/{org_id}/repos/check-suite-settings', query: ['repo_id'], hasBody: false, mediaType: 'application/json' },
  saveCheckSettings: { tag: 'repositories', method: 'PUT', path: '/v1/organizations/{org_id}/repos/check-suite-settings', query: ['repo_id'], hasBody: true, mediaType: 'application/json' },
  generateSetupCommands: { tag: 'repositories', method: 'POST', path: '/v1/organizations/{org_id}/setup-commands/generate', query: [], hasBody: true, mediaType: 'application/json' },
  trySetupCommands: { tag: 'repositories', method: 'POST', path: '/v1/organizations/{org_id}/setup-commands/try', query: [], hasBody: true, mediaType: 'application/json' },
  listSetupProposals: { tag: 'repositories', method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}/setup-proposals', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  acceptSetupProposal: { tag: 'repositories', method: 'POST', path: '/v1/organizations/{org_id}/repos/{repo_id}/setup-proposals/{n}/accept', query: [], hasBody: true, mediaType: 'application/json' },
  listSnapshots: { tag: 'repositories', method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}/snapshots', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  removeSnapshot: { tag: 'repositories', method: 'DELETE', path: '/v1/organizations/{org_id}/repos/{repo_id}/snapshots/{n}', query: [], hasBody: false, mediaType: null },
  listDeployKeys: { tag: 'repositories', method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}/deploy-keys', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  createDeployKey: { tag: 'repositories', method: 'POST', path: '/v1/organizations/{org_id}/repos/{repo_id}/deploy-keys', query: [], hasBody: true, mediaType: 'application/json' },
  removeDeployKey: { tag: 'repositories', method: 'DELETE', path: '/v1/organizations/{org_id}/repos/{repo_id}/deploy-keys/{deploy_key_id}', query: [], hasBody: false, mediaType: null },
  listPulls: { tag: 'pullRequests', method: 'GET', path: '/v1/organizations/{org_id}/prs', query: ['repo_id', 'run_id', 'number', 'state', 'label', 'skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  getPull: { tag: 'pullRequests', method: 'GET', path: '/v1/organizations/{org_id}/prs/{pr_id}', query: [], hasBody: false, mediaType: 'application/json' },
  updatePull: { tag: 'pullRequests', method: 'PATCH', path: '/v1/organizations/{org_id}/prs/{pr_id}', query: [], hasBody: true, mediaType: 'application/json' },
  updateRepoPull: { tag: 'pullRequests', method: 'PATCH', path: '/v1/organizations/{org_id}/repos/{repo_id}/prs/{pr_id}', query: [], hasBody: true, mediaType: 'application/json' },
  getPullDiff: { tag: 'pullRequests', method: 'GET', path: '/v1/organizations/{org_id}/prs/{pr_id}/diff', query: [], hasBody: false, mediaType: 'text/x-diff' },
  getPullFile: { tag: 'pullRequests', method: 'GET', path: '/v1/organizations/{org_id}/prs/{pr_id}/file', query: ['path', 'side', 'from', 'to'], hasBody: false, mediaType: 'application/json' },
  listPullFiles: { tag: 'pullRequests', method: 'GET', path: '/v1/organizations/{org_id}/prs/{pr_id}/files', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  listPullComments: { tag: 'pullRequests', method: 'GET', path: '/v1/organizations/{org_id}/prs/{pr_id}/comments', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  createPullComment: { tag: 'pullRequests', method: 'POST', path: '/v1/organizations/{org_id}/prs/{pr_id}/comments', query: [], hasBody: true, mediaType: 'application/json' },
  updatePullComment: { tag: 'pullRequests', method: 'PATCH', path: '/v1/organizations/{org_id}/prs/{pr_id}/comments/{comment_id}', query: [], hasBody: true, mediaType: 'application/json' },
  listPullChecks: { tag: 'checks', method: 'GET', path: '/v1/organizations/{org_id}/prs/{pr_id}/checks', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  getPullCheckLog: { tag: 'checks', method: 'GET', path: '/v1/organizations/{org_id}/prs/{pr_id}/checks/{check_key}/log', query: [], hasBody: false, mediaType: 'text/plain' },
  reportCheck: { tag: 'checks', method: 'POST', path: '/v1/organizations/{org_id}/repos/{repo_id}/commits/{sha}/checks', query: [], hasBody: true, mediaType: 'application/json' },
  mergePull: { tag: 'pullRequests', method: 'POST', path: '/v1/organizations/{org_id}/prs/{pr_id}/merge', query: [], hasBody: true, mediaType: 'application/json' },
  revertPull: { tag: 'pullRequests', method: 'POST', path: '/v1/organizations/{org_id}/prs/{pr_id}/revert', query: [], hasBody: false, mediaType: 'application/json' },
  deletePullBranch: { tag: 'pullRequests', method: 'DELETE', path: '/v1/organizations/{org_id}/prs/{pr_id}/branch', query: [], hasBody: false, mediaType: 'application/json' },
  listReviews: { tag: 'pullRequests', method: 'GET', path: '/v1/organizations/{org_id}/prs/{pr_id}/reviews', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  createReview: { tag: 'pullRequests', method: 'POST', path: '/v1/organizations/{org_id}/prs/{pr_id}/reviews', query: [], hasBody: true, mediaType: 'application/json' },
  createComparison: { tag: 'comparisons', method: 'POST', path: '/v1/organizations/{org_id}/comparisons', query: [], hasBody: true, mediaType: 'application/json' },
  listComparisons: { tag: 'comparisons', method: 'GET', path: '/v1/organizations/{org_id}/comparisons', query: ['skip', 'limit', 'run_id'], hasBody: false, mediaType: 'application/json' },
  getComparison: { tag: 'comparisons', method: 'GET', path: '/v1/organizations/{org_id}/comparisons/{comparison_id}', query: [], hasBody: false, mediaType: 'application/json' },
  getVerdictLog: { tag: 'comparisons', method: 'GET', path: '/v1/organizations/{org_id}/comparisons/{comparison_id}/verdicts/{verdict_id}/log', query: [], hasBody: false, mediaType: 'text/plain' },
  keepWinner: { tag: 'comparisons', method: 'POST', path: '/v1/organizations/{org_id}/comparisons/{comparison_id}/winner', query: [], hasBody: true, mediaType: 'application/json' },
  cancelComparison: { tag: 'comparisons', method: 'POST', path: '/v1/organizations/{org_id}/comparisons/{comparison_id}/cancel', query: [], hasBody: false, mediaType: 'application/json' },
  requestReview: { tag: 'pullRequests', method: 'POST', path: '/v1/organizations/{org_id}/prs/{pr_id}/reviews/request', query: [], hasBody: true, mediaType: 'application/json' },
  requestReviewer: { tag: 'pullRequests', method: 'POST', path: '/v1/organizations/{org_id}/prs/{pr_id}/reviewers', query: [], hasBody: true, mediaType: 'application/json' },
  removeReviewer: { tag: 'pullRequests', method: 'DELETE', path: '/v1/organizations/{org_id}/prs/{pr_id}/reviewers/{user_id}', query: [], hasBody: false, mediaType: 'application/json' },
  listIssues: { tag: 'issues', method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}/issues', query: ['skip', 'limit', 'state'], hasBody: false, mediaType: 'application/json' },
  createIssue: { tag: 'issues', method: 'POST', path: '/v1/organizations/{org_id}/repos/{repo_id}/issues', query: [], hasBody: true, mediaType: 'application/json' },
  getIssue: { tag: 'issues', method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}/issues/{n}', query: [], hasBody: false, mediaType: 'application/json' },
  updateIssue: { tag: 'issues', method: 'PATCH', path: '/v1/organizations/{org_id}/repos/{repo_id}/issues/{n}', query: [], hasBody: true, mediaType: 'application/json' },
  listIssueComments: { tag: 'issues', method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}/issues/{n}/comments', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  createIssueComment: { tag: 'issues', method: 'POST', path: '/v1/organizations/{org_id}/repos/{repo_id}/issues/{n}/comments', query: [], hasBody: true, mediaType: 'application/json' },
  listOrganizations: { tag: 'organizations', method: 'GET', path: '/v1/organizations', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  createOrganization: { tag: 'organizations', method: 'POST', path: '/v1/organizations', query: [], hasBody: true, mediaType: 'application/json' },
  getOrganization: { tag: 'organizations', method: 'GET', path: '/v1/organizations/{org_id}', query: [], hasBody: false, mediaType: 'application/json' },
  updateOrganization: { tag: 'organizations', method: 'PATCH', path: '/v1/organizations/{org_id}', query: [], hasBody: true, mediaType: 'application/json' },
  deleteOrganization: { tag: 'organizations', method: 'DELETE', path: '/v1/organizations/{org_id}', query: ['confirm'], hasBody: false, mediaType: null },
  exportOrganization: { tag: 'organizations', method: 'GET', path: '/v1/organizations/{org_id}/export', query: [], hasBody: false, mediaType: 'application/octet-stream' },
  listMembers: { tag: 'organizations', method: 'GET', path: '/v1/organizations/{org_id}/members', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  createMember: { tag: 'organizations', method: 'POST', path: '/v1/organizations/{org_id}/members', query: [], hasBody: true, mediaType: 'application/json' },
  updateMember: { tag: 'organizations', method: 'PATCH', path: '/v1/organizations/{org_id}/members/{user_id}', query: [], hasBody: true, mediaType: 'application/json' },
  removeMember: { tag: 'organizations', method: 'DELETE', path: '/v1/organizations/{org_id}/members/{user_id}', query: [], hasBody: false, mediaType: null },
  listUsers: { tag: 'users', method: 'GET', path: '/v1/organizations/{org_id}/users', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  getUser: { tag: 'users', method: 'GET', path: '/v1/organizations/{org_id}/users/{user_id}', query: [], hasBody: false, mediaType: 'application/json' },
  getMe: { tag: 'users', method: 'GET', path: '/v1/users/me', query: [], hasBody: false, mediaType: 'application/json' },
  updateMe: { tag: 'users', method: 'PATCH', path: '/v1/users/me', query: [], hasBody: true, mediaType: 'application/json' },
  deleteMe: { tag: 'users', method: 'DELETE', path: '/v1/users/me', query: ['confirm'], hasBody: false, mediaType: null },
  exportMe: { tag: 'users', method: 'GET', path: '/v1/users/me/export', query: [], hasBody: false, mediaType: 'application/octet-stream' },
  listTokens: { tag: 'tokens', method: 'GET', path: '/v1/organizations/{org_id}/tokens', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  createToken: { tag: 'tokens', method: 'POST', path: '/v1/organizations/{org_id}/tokens', query: [], hasBody: true, mediaType: 'application/json' },
  rotateToken: { tag: 'tokens', method: 'POST', path: '/v1/organizations/{org_id}/tokens/{token_id}/rotate', query: [], hasBody: false, mediaType: 'application/json' },
  revokeToken: { tag: 'tokens', method: 'DELETE', path: '/v1/organizations/{org_id}/tokens/{token_id}', query: [], hasBody: false, mediaType: null },
  getClientRules: { tag: 'rules', method: 'GET', path: '/v1/organizations/{org_id}/cli/rules', query: [], hasBody: false, mediaType: 'application/json' },
  getRules: { tag: 'rules', method: 'GET', path: '/v1/organizations/{org_id}/rules', query: [], hasBody: false, mediaType: 'application/json' },
  saveRules: { tag: 'rules', method: 'PUT', path: '/v1/organizations/{org_id}/rules', query: [], hasBody: true, mediaType: 'application/json' },
  listSecrets: { tag: 'secrets', method: 'GET', path: '/v1/organizations/{org_id}/secrets', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  saveSecret: { tag: 'secrets', method: 'PUT', path: '/v1/organizations/{org_id}/secrets/{name}', query: [], hasBody: true, mediaType: 'application/json' },
  removeSecret: { tag: 'secrets', method: 'DELETE', path: '/v1/organizations/{org_id}/secrets/{name}', query: [], hasBody: false, mediaType: null },
  listRepoSecrets: { tag: 'secrets', method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}/secrets', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  saveRepoSecret: { tag: 'secrets', method: 'PUT', path: '/v1/organizations/{org_id}/repos/{repo_id}/secrets/{name}', query: [], hasBody: true, mediaType: 'application/json' },
  removeRepoSecret: { tag: 'secrets', method: 'DELETE', path: '/v1/organizations/{org_id}/repos/{repo_id}/secrets/{name}', query: [], hasBody: false, mediaType: null },
  getEgress: { tag: 'egress', method: 'GET', path: '/v1/organizations/{org_id}/egress', query: [], hasBody: false, mediaType: 'application/json' },
  saveEgress: { tag: 'egress', method: 'PUT', path: '/v1/organizations/{org_id}/egress', query: [], hasBody: true, mediaType: 'application/json' },
  getRepoEgress: { tag: 'egress', method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}/egress', query: [], hasBody: false, mediaType: 'application/json' },
  saveRepoEgress: { tag: 'egress', method: 'PUT', path: '/v1/organizations/{org_id}/repos/{repo_id}/egress', query: [], hasBody: true, mediaType: 'application/json' },
  listRunEgress: { tag: 'egress', method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/egress', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  listSandboxEgress: { tag: 'egress', method: 'GET', path: '/v1/organizations/{org_id}/sandboxes/{sandbox_id}/egress', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  listSandboxes: { tag: 'sandboxes', method: 'GET', path: '/v1/organizations/{org_id}/sandboxes', query: ['skip', 'limit', 'agent_run_id'], hasBody: false, mediaType: 'application/json' },
  getSandbox: { tag: 'sandboxes', method: 'GET', path: '/v1/organizations/{org_id}/sandboxes/{sandbox_id}', query: [], hasBody: false, mediaType: 'application/json' },
  listSandboxLog: { tag: 'sandboxes', method: 'GET', path: '/v1/organizations/{org_id}/sandboxes/{sandbox_id}/logs', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  analyzeLogs: { tag: 'sandboxes', method: 'POST', path: '/v1/organizations/{org_id}/sandbox/{sandbox_id}/analyze-logs', query: [], hasBody: false, mediaType: 'application/json' },
  listIntegrations: { tag: 'organizations', method: 'GET', path: '/v1/organizations/{org_id}/integrations', query: [], hasBody: false, mediaType: 'application/json' },
  createIntegration: { tag: 'organizations', method: 'POST', path: '/v1/organizations/{org_id}/integrations', query: [], hasBody: true, mediaType: 'application/json' },
  listConnectedProviders: { tag: 'organizations', method: 'GET', path: '/v1/oauth/tokens/status', query: ['org_id'], hasBody: false, mediaType: 'application/json' },
  disconnectProvider: { tag: 'organizations', method: 'POST', path: '/v1/oauth/tokens/revoke', query: ['org_id', 'provider'], hasBody: false, mediaType: 'application/json' },
  createAppForm: { tag: 'organizations', method: 'POST', path: '/v1/organizations/{org_id}/integrations/app-forms', query: [], hasBody: true, mediaType: 'application/json' },
  finishAppForm: { tag: 'organizations', method: 'POST', path: '/v1/organizations/{org_id}/integrations/app-forms/finish', query: [], hasBody: true, mediaType: 'application/json' },
  updateIntegration: { tag: 'organizations', method: 'PATCH', path: '/v1/organizations/{org_id}/integrations/{integration_id}', query: [], hasBody: true, mediaType: 'application/json' },
  removeIntegration: { tag: 'organizations', method: 'DELETE', path: '/v1/organizations/{org_id}/integrations/{integration_id}', query: [], hasBody: false, mediaType: null },
  syncIntegration: { tag: 'organizations', method: 'POST', path: '/v1/organizations/{org_id}/integrations/{integration_id}/sync', query: [], hasBody: false, mediaType: null },
  getIntegrationHealth: { tag: 'organizations', method: 'GET', path: '/v1/organizations/{org_id}/integrations/{integration_id}/health', query: [], hasBody: false, mediaType: 'application/json' },
  listFailedJobs: { tag: 'organizations', method: 'GET', path: '/v1/organizations/{org_id}/failed-jobs', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  retryJob: { tag: 'organizations', method: 'POST', path: '/v1/organizations/{org_id}/failed-jobs/{job_id}/retry', query: [], hasBody: false, mediaType: null },
  getStorage: { tag: 'organizations', method: 'GET', path: '/v1/organizations/{org_id}/storage', query: [], hasBody: false, mediaType: 'application/json' },
  listAuditEntries: { tag: 'organizations', method: 'GET', path: '/v1/organizations/{org_id}/audit', query: ['skip', 'limit', 'user_id', 'action', 'from', 'to'], hasBody: false, mediaType: 'application/json' },
  listUsage: { tag: 'organizations', method: 'GET', path: '/v1/organizations/{org_id}/usage', query: ['skip', 'limit', 'group_by', 'from', 'to', 'user_id', 'repo_id'], hasBody: false, mediaType: 'application/json' },
  listBudgets: { tag: 'organizations', method: 'GET', path: '/v1/organizations/{org_id}/budgets', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  createBudget: { tag: 'organizations', method: 'POST', path: '/v1/organizations/{org_id}/budgets', query: [], hasBody: true, mediaType: 'application/json' },
  updateBudget: { tag: 'organizations', method: 'PATCH', path: '/v1/organizations/{org_id}/budgets/{budget_id}', query: [], hasBody: true, mediaType: 'application/json' },
  removeBudget: { tag: 'organizations', method: 'DELETE', path: '/v1/organizations/{org_id}/budgets/{budget_id}', query: [], hasBody: false, mediaType: null },
  listMcpServers: { tag: 'mcpServers', method: 'GET', path: '/v1/organizations/{org_id}/mcp-servers', query: ['skip', 'limit', 'repo_id'], hasBody: false, mediaType: 'application/json' },
  createMcpServer: { tag: 'mcpServers', method: 'POST', path: '/v1/organizations/{org_id}/mcp-servers', query: [], hasBody: true, mediaType: 'application/json' },
  listMcpProviders: { tag: 'mcpServers', method: 'GET', path: '/v1/mcp-providers', query: [], hasBody: false, mediaType: 'application/json' },
  listModelProviders: { tag: 'modelProviders', method: 'GET', path: '/v1/organizations/{org_id}/model-providers', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  createModelProvider: { tag: 'modelProviders', method: 'POST', path: '/v1/organizations/{org_id}/model-providers', query: [], hasBody: true, mediaType: 'application/json' },
  updateModelProvider: { tag: 'modelProviders', method: 'PATCH', path: '/v1/organizations/{org_id}/model-providers/{model_provider_id}', query: [], hasBody: true, mediaType: 'application/json' },
  removeModelProvider: { tag: 'modelProviders', method: 'DELETE', path: '/v1/organizations/{org_id}/model-providers/{model_provider_id}', query: [], hasBody: false, mediaType: null },
  saveMemberKey: { tag: 'modelProviders', method: 'PUT', path: '/v1/organizations/{org_id}/model-providers/{model_provider_id}/my-key', query: [], hasBody: true, mediaType: 'application/json' },
  removeMemberKey: { tag: 'modelProviders', method: 'DELETE', path: '/v1/organizations/{org_id}/model-providers/{model_provider_id}/my-key', query: [], hasBody: false, mediaType: null },
  tryModelProvider: { tag: 'modelProviders', method: 'POST', path: '/v1/organizations/{org_id}/model-providers/{model_provider_id}/try', query: [], hasBody: false, mediaType: 'application/json' },
  updateMcpServer: { tag: 'mcpServers', method: 'PATCH', path: '/v1/organizations/{org_id}/mcp-servers/{mcp_server_id}', query: [], hasBody: true, mediaType: 'application/json' },
  removeMcpServer: { tag: 'mcpServers', method: 'DELETE', path: '/v1/organizations/{org_id}/mcp-servers/{mcp_server_id}', query: [], hasBody: false, mediaType: null },
  tryMcpServer: { tag: 'mcpServers', method: 'POST', path: '/v1/organizations/{org_id}/mcp-servers/{mcp_server_id}/try', query: [], hasBody: false, mediaType: 'application/json' },
  listWorkerTokens: { tag: 'workers', method: 'GET', path: '/v1/organizations/{org_id}/worker-tokens', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  createWorkerToken: { tag: 'workers', method: 'POST', path: '/v1/organizations/{org_id}/worker-tokens', query: [], hasBody: true, mediaType: 'application/json' },
  revokeWorkerToken: { tag: 'workers', method: 'DELETE', path: '/v1/organizations/{org_id}/worker-tokens/{worker_token_id}', query: [], hasBody: false, mediaType: null },
  listRateLimits: { tag: 'organizations', method: 'GET', path: '/v1/organizations/{org_id}/rate-limits', query: ['skip', 'limit'], hasBody: false, mediaType: 'application/json' },
  getHealth: { tag: 'system', method: 'GET', path: '/healthz', query: [], hasBody: false, mediaType: 'application/json' },
  getReadiness: { tag: 'system', method: 'GET', path: '/readyz', query: [], hasBody: false, mediaType: 'application/json' },
  getServiceStatus: { tag: 'system', method: 'GET', path: '/statusz', query: [], hasBody: false, mediaType: 'application/json' },
} as const satisfies Record<keyof Operations, Place>

export type Place = { tag: string; method: string; path: string; query: readonly string[]; hasBody: boolean; mediaType: string | null }
