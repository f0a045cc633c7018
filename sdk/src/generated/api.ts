// Generated from openapi.json by "npm run generate". Do not edit.

export type Fault = {
  /** Where it lies, such as ["body", "prompt"]. */
  loc: Array<string | number>
  msg: string
  /** Of which kind the fault is, such as "required". */
  type: string
}

export type ErrorBody = {
  message: string
  status_code: number
  code: 'invalid_request' | 'prompt_too_long' | 'metadata_too_large' | 'import_not_allowed' | 'import_failed' | 'integration_failed' | 'engine_unavailable' | 'no_logs' | 'unauthorized' | 'budget_reached' | 'forbidden' | 'route_not_found' | 'organization_not_found' | 'user_not_found' | 'run_not_found' | 'token_not_found' | 'repo_not_found' | 'integration_not_found' | 'setup_proposal_not_found' | 'secret_not_found' | 'issue_not_found' | 'pull_not_found' | 'sandbox_not_found' | 'snapshot_not_found' | 'branch_not_found' | 'budget_not_found' | 'message_not_found' | 'question_not_found' | 'check_log_not_found' | 'artifact_not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'run_already_ended' | 'last_admin' | 'repo_name_taken' | 'idempotency_in_progress' | 'sandbox_too_weak' | 'merge_conflict' | 'conflict' | 'body_too_large' | 'unsupported_media_type' | 'storage_full' | 'comparison_too_large' | 'idempotency_key_reused' | 'rate_limited' | 'headers_too_large' | 'internal' | 'unavailable'
  request_id: string
  /** For bad input: what is wrong, and where. */
  detail?: Array<Fault>
}

export type Problem = {
  type: string
  title: string
  status: number
  detail: string
  code: 'invalid_request' | 'prompt_too_long' | 'metadata_too_large' | 'import_not_allowed' | 'import_failed' | 'integration_failed' | 'engine_unavailable' | 'no_logs' | 'unauthorized' | 'budget_reached' | 'forbidden' | 'route_not_found' | 'organization_not_found' | 'user_not_found' | 'run_not_found' | 'token_not_found' | 'repo_not_found' | 'integration_not_found' | 'setup_proposal_not_found' | 'secret_not_found' | 'issue_not_found' | 'pull_not_found' | 'sandbox_not_found' | 'snapshot_not_found' | 'branch_not_found' | 'budget_not_found' | 'message_not_found' | 'question_not_found' | 'check_log_not_found' | 'artifact_not_found' | 'method_not_allowed' | 'not_acceptable' | 'request_timeout' | 'run_already_ended' | 'last_admin' | 'repo_name_taken' | 'idempotency_in_progress' | 'sandbox_too_weak' | 'merge_conflict' | 'conflict' | 'body_too_large' | 'unsupported_media_type' | 'storage_full' | 'comparison_too_large' | 'idempotency_key_reused' | 'rate_limited' | 'headers_too_large' | 'internal' | 'unavailable'
  request_id: string
  /** For bad input: what is wrong, and where. */
  errors?: Array<Fault>
}

export type RunPullRequest = {
  id: number
  title: string
  url: string
  /** RFC 3339 in UTC with milliseconds. */
  created_at: string
  head_branch_name: string
  number: number
  state: 'open' | 'closed'
  merged: boolean
  /** RFC 3339 in UTC with milliseconds. */
  merged_at: string | null
}

export type AgentRun = {
  id: number
  organization_id: number
  status: 'queued' | 'in_progress' | 'waiting_for_user' | 'paused' | 'completed' | 'failed' | 'cancelled'
  /** RFC 3339 in UTC with milliseconds. */
  created_at: string
  /** The page where people see the run. */
  web_url: string
  /** The answer of the last completed turn. */
  result: string | null
  /** Why it is in this status: capacity, cloning, setup, working, creating_pr, … */
  status_detail: string | null
  summary: string | null
  /** Why it failed. */
  error: {
    code: string
    message: string
    retryable: boolean
  } | null
  source_type: 'LOCAL' | 'SLACK' | 'GITHUB' | 'GITHUB_CHECK_SUITE' | 'GITHUB_PR_REVIEW' | 'LINEAR' | 'API' | 'CHAT' | 'JIRA' | 'CLICKUP' | 'MONDAY' | 'SETUP_COMMANDS' | 'GITLAB' | 'GITEA' | 'WEB' | 'CLI' | 'MCP' | 'SCHEDULE' | 'LOG_ANALYSIS'
  /** Pull requests of the run, of any code host. */
  github_pull_requests: Array<RunPullRequest>
  metadata: Record<string, unknown> | null
  prompt: string
  title: string | null
  repo_id: number | null
  model: string | null
  /** The engine at work. */
  agent_type: string
  turn: number
  /** RFC 3339 in UTC with milliseconds. */
  updated_at: string
  /** RFC 3339 in UTC with milliseconds. */
  started_at: string | null
  /** RFC 3339 in UTC with milliseconds. */
  finished_at: string | null
  user_id: number | null
  parent_run_id: number | null
  branch: string | null
  base_branch: string | null
  usage: {
    input_tokens: number
    output_tokens: number
    /** Null where no price is known. */
    cost_usd: number | null
  }
  archived: boolean
  /** The answer as data, where a schema was given and it fits; else null. */
  result_json: unknown
  /** No model is asked once the run has cost as much; it is paused then (budget_reached) and goes on when this is raised. */
  max_cost_usd: number | null
  timeout_minutes: number
  plan_approval: boolean
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
  /** Its number in the run: 1, 2, 3 … with no hole. */
  seq: number
  /** RFC 3339 in UTC with milliseconds. */
  created_at: string
  turn: number
  /** ACTION, PLAN_EVALUATION, FINAL_ANSWER, ERROR, USER_MESSAGE, … */
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
  /** RFC 3339 in UTC with milliseconds. */
  created_at: string
  /** The page where people see the run. */
  web_url: string
  /** The answer of the last completed turn. */
  result: string | null
  logs: Array<AgentRunLog>
  total_logs: number
  page: number
  size: number
  pages: number
}

export type LiveTool = {
  agent_run_id: number
  /** Which step of the run; later steps have higher numbers. */
  step: number
  turn: number
  tool_name: string
  /** Secrets are masked and long strings are cut; the log entry has all of it. */
  tool_input: Record<string, unknown>
  /** Whether something was left out. */
  tool_input_cut: boolean
  /** RFC 3339 in UTC with milliseconds. */
  started_at: string
  /** Null while it runs. */
  ended_at: string | null
}

export type TextDelta = {
  agent_run_id: number
  /** Which step of the run; later steps have higher numbers. */
  step: number
  turn: number
  /** What is being written. */
  kind: 'thought' | 'answer'
  /** Where in the text this piece belongs, in UTF-16 code units. It replaces everything from there on. A value beyond what you have means that you missed the part before it. */
  at: number
  /** The piece, masked. */
  text: string
  /** Whether this was the last piece; the log entry has the whole text. */
  done: boolean
}

export type Organization = {
  id: number
  name: string
  settings: {
    enable_pr_creation: boolean
    /** Whether the built-in agent is told the rules in a repository (AGENTS.md, CLAUDE.md). */
    enable_rules_detection: boolean
    /** How limits must be held at least, in the order `none`, `polled`, `per-process`, `kernel`; runs are refused where they are not. Replaces what was required before. */
    sandbox_require: {
      memory?: 'none' | 'polled' | 'per-process' | 'kernel'
      cpu?: 'none' | 'polled' | 'per-process' | 'kernel'
      processes?: 'none' | 'polled' | 'per-process' | 'kernel'
      disk?: 'none' | 'polled' | 'per-process' | 'kernel'
      network?: 'none' | 'polled' | 'per-process' | 'kernel'
      kill?: 'none' | 'polled' | 'per-process' | 'kernel'
    }
    /** By what people mention the agent on code hosts, after an `@`. */
    agent_name: string
    /** Issues that get this label are given to the agent; empty: none is. */
    trigger_label: string
    accept_setup_commands: boolean
    /** When agents review pull requests by themselves: never, once each is ready, or at each commit that it comes to rest at. */
    review_pulls: 'off' | 'opened' | 'each_head'
    /** Whether agents may approve what people have written. */
    enable_review_approval: boolean
    /** Whether the agent is told of comments on its own pull requests only where they mention it. */
    require_mentions: boolean
  }
  limits: {
    /** How many of its runs may be at work at once. */
    max_running: number
    /** How many bytes it may store. */
    storage_bytes_max: number
  }
  /** Only workers that have all of these take its runs; a repository without any has those of its organization. */
  labels: Array<string>
  /** The first is used by runs that name none; a repository without any has those of its organization. */
  default_models: Array<string>
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
  /** Whether its role in the organization is ADMIN. */
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
  /** Whether its role in the organization is ADMIN. */
  is_admin: boolean
  /** What your agents are told besides their prompts. */
  user_custom_prompt: string | null
}

export type Rules = {
  /** What agents are told besides their prompts. */
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
  /** How the secret begins. */
  prefix: string
  /** How the secret ends. */
  last4: string
  /** What it is narrowed to: read, run, manage, admin. */
  scopes: Array<'read' | 'run' | 'manage' | 'admin'>
  /** RFC 3339 in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 in UTC with milliseconds. */
  last_used_at: string | null
  /** RFC 3339 in UTC with milliseconds. */
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
  /** How the secret begins. */
  prefix: string
  /** How the secret ends. */
  last4: string
  /** What it is narrowed to: read, run, manage, admin. */
  scopes: Array<'read' | 'run' | 'manage' | 'admin'>
  /** RFC 3339 in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 in UTC with milliseconds. */
  last_used_at: string | null
  /** RFC 3339 in UTC with milliseconds. */
  expires_at: string | null
  /** The secret. It is in this answer and nowhere else: null in one that is given again. */
  token: string | null
}

export type Storage = {
  bytes: number
  bytes_max: number
  kinds: Array<{
    kind: 'git' | 'artifacts' | 'checkpoints' | 'images' | 'logs' | 'snapshots'
    bytes: number
  }>
  /** Of each repository. */
  repo_bytes_max: number
  /** Of what each run has pushed, and its artifacts and log. */
  run_bytes_max: number
  /** The largest, the largest first. */
  repos: Array<{
    repo_id: number
    name: string
    bytes: number
  }>
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
  /** `generating`, `proposed`, `accepted`, `outdated`, `failed`; empty: nobody has looked for any. */
  setup_status: string
  language: string | null
  /** The code host, such as "local" for the built-in one. */
  host: string
  /** By which its host is connected. */
  integration_id: number | null
  /** False where its host is not connected any more: nothing is done there. */
  is_connected: boolean
  /** Where people find it on another host. */
  url: string | null
  default_branch: string
  /** What prepares its work tree, for bash. */
  setup_commands: string | null
  /** Whether its runs fail where the setup fails, or go on without it. */
  setup_required: boolean
  /** Whether commands that a run has found, and a test that passes, count without a person’s word; as the organization says where it is not set. */
  accept_setup_commands: boolean | null
  /** When agents review pull requests by themselves: never, once each is ready, or at each commit that it comes to rest at. */
  review_pulls: 'off' | 'opened' | 'each_head' | null
  /** Branches on which agents look at what people push. */
  watched_branches: Array<string>
  /** What workers run on the built-in host at the head of each open pull request, and of the default branch, after the setup commands. */
  check_commands: Array<{
    name: string
    /** For bash. */
    command: string
  }>
  /** Where git works, with a token as password. */
  git_url: string
  /** The first is used by runs that name none; a repository without any has those of its organization. */
  default_models: Array<string>
  /** Names of secrets that every command of its runs has in its environment. The others are asked for by name. */
  environment_secrets: Array<string>
  /** Only workers that have all of these take its runs; a repository without any has those of its organization. */
  labels: Array<string>
}

export type RepositoryPage = {
  items: Array<Repository>
  total: number
  page: number
  size: number
  pages: number
}

export type PullRequest = {
  id: number
  organization_id: number
  repo_id: number
  /** The run that opened it. */
  run_id: number | null
  /** Counted in each repository. */
  number: number
  url: string
  title: string
  body: string
  state: 'open' | 'closed'
  draft: boolean
  merged: boolean
  head_branch_name: string
  base_branch_name: string
  /** A full commit id. */
  head_commit: string
  /** Where its merge has brought the base branch. */
  merge_commit: string | null
  merged_by: number | null
  /** RFC 3339 in UTC with milliseconds. */
  merged_at: string | null
  /** How the run that looks after it stands; null where none does. */
  agent: {
    phase: 'waiting_checks' | 'detecting' | 'rerunning' | 'fixing' | 'green' | 'tapped_out' | 'paused' | 'closed' | 'merged' | 'banned' | 'removed'
    /** Turns that it has begun to mend checks. */
    attempts: number
    /** Why it does no more, for people. */
    reason: string | null
  } | null
  /** RFC 3339 in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 in UTC with milliseconds. */
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
  /** Of a renamed file. */
  previous_path: string | null
  status: 'added' | 'modified' | 'removed' | 'renamed'
  /** Lines; null where it is no text. */
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

export type PullRequestComment = {
  /** Null on another host, where its `url` tells it from others. */
  id: number | null
  pr_id: number
  /** Null on another host: there its `author` wrote it. */
  user_id: number | null
  /** Who wrote it on another host; null where nobody knows any more. */
  author: {
    login: string
    is_bot: boolean
  } | null
  /** Where people read it on another host. */
  url: string | null
  body: string
  /** Null for a comment on the whole. */
  path: string | null
  line: number | null
  side: 'base' | 'head' | null
  /** What its writer saw: another one than the head of now may have other lines. Null where another host does not say. */
  head_commit: string | null
  /** RFC 3339 in UTC with milliseconds. */
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
  /** Who wrote it; null for an agent. */
  user_id: number | null
  /** The run that wrote it. */
  agent_run_id: number | null
  /** Where that run is shown. */
  web_url: string | null
  verdict: 'comment' | 'approve' | 'request_changes'
  body: string
  comments: Array<{
    path: string
    line: number
    side: 'base' | 'head'
    body: string
  }>
  /** What its writer saw. */
  head_commit: string
  /** Where it stands on another host. */
  url: string | null
  /** RFC 3339 in UTC with milliseconds. */
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
  /** One of a commit’s checks, and the same at the next look. */
  key: string
  name: string
  /** Who runs it: on the built-in host `local`, `ci` or `runwright`. */
  app: string
  status: 'queued' | 'in_progress' | 'completed'
  /** Goes with `completed`, and with nothing else. */
  conclusion: 'success' | 'failure' | 'cancelled' | 'timed_out' | 'neutral' | 'skipped' | 'action_required' | 'stale' | 'startup_failure' | null
  url: string | null
  summary: string | null
  has_log: boolean
  /** RFC 3339 in UTC with milliseconds. */
  started_at: string | null
  /** RFC 3339 in UTC with milliseconds. */
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
  /** How often agents mend one check that fails, for each pull request. 0: never. */
  check_retry_count: number
  /** Checks, or apps that run checks, that agents take no notice of. */
  ignored_checks: Array<string>
  /** The count of single checks, or of all checks of an app. */
  check_retry_counts: Record<string, unknown>
  /** What an agent is told besides when it mends this check, or one of this app. */
  custom_prompts: Record<string, unknown>
  /** Where a check of one of these fails, nobody waits for the other checks. */
  high_priority_apps: Array<string>
  /** How long the checks of a commit may take to turn up. */
  settle_seconds: number
  /** The checks that commits of the repository were seen to have, and the apps that run them. */
  available_check_suite_names: Array<string>
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
  /** Where its API is; null: at its maker's own. */
  base_url: string | null
  /** Whose repositories they are. */
  account: string | null
  /** Who agents are there. */
  bot_login: string | null
  /** Where it sends its events, signed. */
  webhook_url: string | null
  /** What went wrong the last time. */
  problem: string | null
  /** RFC 3339 in UTC with milliseconds. */
  synced_at: string | null
  /** RFC 3339 in UTC with milliseconds. */
  created_at: string | null
}

export type Integrations = {
  organization_id: number
  organization_name: string
  integrations: Array<Integration>
  total_active_integrations: number
}

export type AppForm = {
  /** Where a browser posts the form to, with the field `manifest`. */
  url: string
  /** The description of the App, as JSON. */
  manifest: string
  /** RFC 3339 in UTC with milliseconds. */
  expires_at: string
}

export type Issue = {
  id: number
  organization_id: number
  repo_id: number
  /** Counted in each repository, together with its pull requests. */
  number: number
  url: string
  /** Who has opened it. */
  user_id: number
  /** The name of whoever has opened it. */
  author: string | null
  title: string
  body: string
  state: 'open' | 'closed'
  labels: Array<string>
  assigned_to_agent: boolean
  /** RFC 3339 in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 in UTC with milliseconds. */
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
  /** RFC 3339 in UTC with milliseconds. */
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
  /** Where people see the run. */
  url: string
}

export type SetupEvidence = {
  command: string
  /** Null when it was ended. */
  exit_code: number | null
  duration_ms: number
  /** The end of what it printed. */
  tail: string
}

export type SetupProposal = {
  n: number
  repo_id: number
  agent_run_id: number
  state: 'proposed' | 'accepted' | 'superseded'
  /** In their order, each run when the one before has passed. */
  commands: Array<string>
  /** Null: nothing was found that passes. */
  test_command: string | null
  notes: string
  /** What was run, from a clean work tree. */
  evidence: Array<SetupEvidence>
  base_commit: string | null
  /** Digests of the files on which the installation depends, by path. */
  lockfiles: Record<string, unknown>
  /** RFC 3339 in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 in UTC with milliseconds. */
  accepted_at: string | null
  accepted_by: number | null
  /** RFC 3339 in UTC with milliseconds. */
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
  /** Unfit: it cannot be kept, so each work tree is set up by itself. Failed: the commands fail. */
  state: 'making' | 'ready' | 'unfit' | 'failed'
  /** The data folder in which it lies; each machine makes its own. */
  machine: string
  /** In whose work tree the commands were run. */
  base_commit: string
  bytes: number | null
  /** How long the commands have taken. */
  setup_ms: number | null
  problem: {
    message: string
    /** That has failed. */
    command: string | null
    exit_code: number | null
    /** The end of what it printed. */
    output: string | null
  } | null
  /** RFC 3339 in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 in UTC with milliseconds. */
  used_at: string
}

export type SnapshotPage = {
  items: Array<Snapshot>
  total: number
  page: number
  size: number
  pages: number
}

export type Sandbox = {
  id: number
  organization_id: number
  agent_run_id: number | null
  /** The check whose commands it ran, in place of a run. */
  check_key: string | null
  /** Whose walls they are: `bubblewrap`; `unsafe` are none. */
  provider: string
  /** The worker on whose machine it runs. */
  worker: string
  status: 'running' | 'ended'
  /** How each limit is held: by the kernel, by the kernel for each process alone, by looking at it now and then, not at all. */
  enforcement: {
    memory: 'none' | 'polled' | 'per-process' | 'kernel'
    cpu: 'none' | 'polled' | 'per-process' | 'kernel'
    processes: 'none' | 'polled' | 'per-process' | 'kernel'
    disk: 'none' | 'polled' | 'per-process' | 'kernel'
    network: 'none' | 'polled' | 'per-process' | 'kernel'
    kill: 'none' | 'polled' | 'per-process' | 'kernel'
  }
  /** RFC 3339 in UTC with milliseconds. */
  started_at: string
  /** RFC 3339 in UTC with milliseconds. */
  ended_at: string | null
  /** Why it ended: `lifetime`, `disk_full`, `out_of_memory`, `open_files`, `unmeasured`, `unresponsive`, `lost` with its worker, or in words. */
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
  /** Counted in the sandbox; where there were many, the first ones are gone. */
  n: number
  /** The line for the shell, or the program and its arguments. */
  command: string
  /** RFC 3339 in UTC with milliseconds. */
  started_at: string
  duration_ms: number
  /** Null where a signal ended it. */
  exit_code: number | null
  /** `exited`, `timeout`, `killed`, `out_of_memory`, `sandbox_lost`. */
  reason: string
  /** The end of what it printed. */
  output: string
  /** What came before that. */
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
  /** Of the run. */
  status: string
  message: string
}

export type Secret = {
  /** The environment variable that commands find it in. */
  name: string
  /** RFC 3339 in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 in UTC with milliseconds. */
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
  /** Hosts by name: `example.com`, `*.example.com` for all below it, with `:port` for another port than 443 and 80. */
  allow: Array<string>
  /** What programs of one kind fetch from. */
  presets: Array<'npm' | 'pypi' | 'crates' | 'go' | 'debian' | 'github'>
  /** All that runs there may reach: what the presets stand for, and of a repository its organization’s too. */
  names: Array<string>
  /** Whether `.runwright.yml` of a base branch may let the runs of its repository reach more. */
  from_file: boolean
}

export type EgressRequest = {
  n: number
  /** RFC 3339 in UTC with milliseconds. */
  at: string
  /** As it was asked for, where that was no name. */
  name: string
  /** 0 where none was to be read. */
  port: number
  allowed: boolean
  /** Why it was refused, or, being allowed, failed. */
  reason: 'not_allowed' | 'port_not_allowed' | 'address_literal' | 'malformed_name' | 'not_found' | 'private_address' | 'not_plain_http' | 'credentials_in_url' | 'host_mismatch' | 'unclear_length' | 'not_tls' | 'server_name_missing' | 'server_name_mismatch' | 'encrypted_client_hello' | 'run_not_held' | 'unreachable' | null
  /** Null until it has ended, and where it was refused. */
  sent_bytes: number | null
  received_bytes: number | null
}

export type EgressRequestPage = {
  items: Array<EgressRequest>
  total: number
  page: number
  size: number
  pages: number
  /** How often the run has asked in all, also beyond what is recorded. */
  asked: number
  /** How often it was refused. */
  refused: number
}

export type Message = {
  n: number
  prompt: string
  /** RFC 3339 in UTC with milliseconds. */
  created_at: string
  /** The log entry that shows it; null while it waits. */
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
  /** RFC 3339 in UTC with milliseconds. */
  created_at: string
  /** RFC 3339 in UTC with milliseconds. */
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
  /** RFC 3339 in UTC with milliseconds. */
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
  /** RFC 3339 in UTC with milliseconds. */
  from: string
  /** Null for what lasts. */
  to: string | null
}

export type Timeline = Array<Span>

export type Engine = {
  name: string
  available: boolean
  /** Why not. */
  reason: string | null
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
  /** Why not. */
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
  /** What the run would be made with, every choice resolved. */
  configuration: Record<string, unknown>
  /** What would refuse it (budget_reached, sandbox_too_weak) or make it wait: capacity (a limit), no_worker (none may take it), or no_fit_worker (those that may have a fault of their machine). */
  blocked_by: string | null
  /** What most such runs have cost; null where no cost is known. */
  cost_range: {
    low_usd: number | null
    high_usd: number | null
  }
}

export type RateLimit = {
  /** Which requests it counts. `logs` counts those of every policy, and refuses only reading of logs. `user` and `organization` count all that a user or an organization sends, and are off unless the operator has set them. */
  policy: 'creation' | 'setup' | 'analysis' | 'logs' | 'standard' | 'user' | 'organization'
  /** How many requests pass in any stretch of `window_seconds`. */
  limit: number
  window_seconds: number
  remaining: number
  /** RFC 3339 in UTC with milliseconds. */
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
  /** Only what this user’s runs cost; null: everybody’s. */
  user_id: number | null
  /** Only what runs in this repository cost; null: in all. */
  repo_id: number | null
  /** Days and months are those of UTC; `total`: all that was ever spent. */
  period: 'day' | 'month' | 'total'
  limit_usd: number
  /** Since the period began. */
  spent_usd: number
  /** Null: never by itself. */
  renews_at: string | null
  /** RFC 3339 in UTC with milliseconds. */
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
  /** A day of UTC, such as 2026-01-31. */
  day: string | null
  user_id: number | null
  repo_id: number | null
  agent_type: string | null
  model: string | null
  calls: number
  /** All that was read, cached or not. */
  input_tokens: number
  output_tokens: number
  /** Of those calls that have a known price; null where none has. */
  cost_usd: number | null
}

export type UsagePage = {
  items: Array<Usage>
  total: number
  page: number
  size: number
  pages: number
}

export type Health = {
  status: 'ok'
}

export type Readiness = {
  status: 'ok'
  /** What an operator should know, a sentence each. */
  warnings: Array<string>
}

export type Session = {
  user_id: number
  /** RFC 3339 in UTC with milliseconds. */
  expires_at: string
}

export type SignInWays = {
  token: boolean
  oidc: {
    /** What people know the provider by. */
    name: string
    /** Where a browser begins; `?next=` names the page that it is to come to. */
    url: string
  } | null
}

export type StreamTicket = {
  /** Shown this once; null when the answer is given again. */
  ticket: string | null
  /** RFC 3339 in UTC with milliseconds. */
  expires_at: string
}

/** What each operation takes and answers. */
export type Operations = {
  /** Start a run */
  createRun: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: {
      /** What the agent is to do; at most 256 KiB. */
      prompt: string
      repo_id?: number | null
      /** Data URIs in base64, of PNG, JPEG, GIF or WebP; at most 5 MiB and 8,000 pixels a side each. */
      images?: Array<string> | null
      /** Kept with the run; at most 16 KiB and 8 levels. */
      metadata?: Record<string, unknown> | null
      model?: string | null
      /** The engine: codegen, repair, scripted, … */
      agent_type?: string | null
      title?: string | null
      /** The default branch when left out. */
      base_branch?: string | null
      /** A branch that exists, to go on with; not the default branch. */
      branch?: string | null
      pull_request?: number | null
      /** The organization's setting when left out. */
      create_pull_request?: boolean | null
      max_cost_usd?: number | null
      timeout_minutes?: number | null
      parent_run_id?: number | null
      /** Whether people approve the plan first. */
      plan_approval?: boolean | null
      /** JSON Schema 2020-12 of the answer, which then comes as `result_json` too. */
      output_schema?: Record<string, unknown> | null
      /** Makes nothing, and answers what would become of it. */
      dry_run?: boolean | null
    }
    answer: AgentRun | DryRun
  }
  /** Send a follow-up */
  resumeRun: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: {
      agent_run_id: number
      /** At most 256 KiB. */
      prompt: string
      /** Data URIs in base64, of PNG, JPEG, GIF or WebP; at most 5 MiB and 8,000 pixels a side each. */
      images?: Array<string> | null
    }
    answer: AgentRun
  }
  /** List runs, the newest first */
  listRuns: {
    path: {
      org_id: number
    }
    query: {
      skip?: number
      limit?: number
      user_id?: number
      source_type?: 'LOCAL' | 'SLACK' | 'GITHUB' | 'GITHUB_CHECK_SUITE' | 'GITHUB_PR_REVIEW' | 'LINEAR' | 'API' | 'CHAT' | 'JIRA' | 'CLICKUP' | 'MONDAY' | 'SETUP_COMMANDS' | 'GITLAB' | 'GITEA' | 'WEB' | 'CLI' | 'MCP' | 'SCHEDULE' | 'LOG_ANALYSIS'
      status?: Array<'queued' | 'in_progress' | 'waiting_for_user' | 'paused' | 'completed' | 'failed' | 'cancelled'>
      repo_id?: number
      agent_type?: string
      created_after?: string
      created_before?: string
      q?: string
      archived?: boolean
    }
    body: undefined
    answer: AgentRunPage
  }
  /** Read a run */
  getRun: {
    path: {
      org_id: number
      agent_run_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: AgentRun
  }
  /** Configure a run */
  updateRun: {
    path: {
      org_id: number
      agent_run_id: number
    }
    query: Record<never, never>
    body: {
      title?: string
      /** Takes the place of what was there. */
      metadata?: Record<string, unknown> | null
      archived?: boolean
      model?: string | null
      max_cost_usd?: number | null
      timeout_minutes?: number
    }
    answer: AgentRun
  }
  /** Stop a run */
  cancelRun: {
    path: {
      org_id: number
      agent_run_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: AgentRun
  }
  /** Keep a run from mending checks of its pull request */
  banRun: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: {
      agent_run_id: number
    }
    answer: AgentRun
  }
  /** Let a run mend checks of its pull request again */
  unbanRun: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: {
      agent_run_id: number
    }
    answer: AgentRun
  }
  /** Send a run away from its pull request */
  removeRunFromPull: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: {
      agent_run_id: number
    }
    answer: AgentRun
  }
  /** Read what a run has changed */
  getRunDiff: {
    path: {
      org_id: number
      agent_run_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: string
  }
  /** Hold a run */
  pauseRun: {
    path: {
      org_id: number
      agent_run_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: AgentRun
  }
  /** Go on after a pause */
  continueRun: {
    path: {
      org_id: number
      agent_run_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: AgentRun
  }
  /** Read what the time of a run went into */
  getTimeline: {
    path: {
      org_id: number
      agent_run_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: Timeline
  }
  /** Queue a message for a run at work */
  createMessage: {
    path: {
      org_id: number
      agent_run_id: number
    }
    query: Record<never, never>
    body: {
      /** At most 256 KiB. */
      prompt: string
    }
    answer: Message
  }
  /** List what was said to a run, the oldest first */
  listMessages: {
    path: {
      org_id: number
      agent_run_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: MessagePage
  }
  /** Take a message back that the agent has not read */
  revokeMessage: {
    path: {
      org_id: number
      agent_run_id: number
      n: number
    }
    query: Record<never, never>
    body: undefined
    answer: undefined
  }
  /** List what the agent has asked, the oldest first */
  listQuestions: {
    path: {
      org_id: number
      agent_run_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: QuestionPage
  }
  /** Answer a question */
  answerQuestion: {
    path: {
      org_id: number
      agent_run_id: number
      n: number
    }
    query: Record<never, never>
    body: {
      /** At most 256 KiB. */
      answer: string
    }
    answer: Question
  }
  /** List the files that the agent keeps for people, by name */
  listArtifacts: {
    path: {
      org_id: number
      agent_run_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: ArtifactPage
  }
  /** Download a file that the agent keeps for people */
  getArtifact: {
    path: {
      org_id: number
      agent_run_id: number
      name: string
    }
    query: Record<never, never>
    body: undefined
    answer: Uint8Array
  }
  /** List the engines that a run may be started with, and why not */
  listEngines: {
    path: {
      org_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: EnginePage
  }
  /** List the models that a run may be started with, and why not */
  listModels: {
    path: {
      org_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: ModelPage
  }
  /** Read a run with a page of its log */
  listLog: {
    path: {
      org_id: number
      agent_run_id: number
    }
    query: {
      skip?: number
      limit?: number
      reverse?: boolean
      after_seq?: number
      message_type?: Array<'ACTION' | 'PLAN_EVALUATION' | 'FINAL_ANSWER' | 'ERROR' | 'USER_MESSAGE' | 'USER_GITHUB_ISSUE_COMMENT' | 'USER_GITLAB_ISSUE_COMMENT' | 'USER_GITEA_ISSUE_COMMENT' | 'USER_FORGEJO_ISSUE_COMMENT' | 'USER_BITBUCKET_ISSUE_COMMENT' | 'USER_LOCAL_ISSUE_COMMENT' | 'INITIAL_PR_GENERATION' | 'DETECT_PR_ERRORS' | 'FIX_PR_ERRORS' | 'PR_CREATION_FAILED' | 'PR_EVALUATION' | 'COMMIT_EVALUATION' | 'AGENT_RUN_LINK'>
    }
    body: undefined
    answer: AgentRunWithLogsResponse
  }
  /** Read a run with a page of its log */
  listLogAlpha: {
    path: {
      org_id: number
      agent_run_id: number
    }
    query: {
      skip?: number
      limit?: number
      reverse?: boolean
      after_seq?: number
      message_type?: Array<'ACTION' | 'PLAN_EVALUATION' | 'FINAL_ANSWER' | 'ERROR' | 'USER_MESSAGE' | 'USER_GITHUB_ISSUE_COMMENT' | 'USER_GITLAB_ISSUE_COMMENT' | 'USER_GITEA_ISSUE_COMMENT' | 'USER_FORGEJO_ISSUE_COMMENT' | 'USER_BITBUCKET_ISSUE_COMMENT' | 'USER_LOCAL_ISSUE_COMMENT' | 'INITIAL_PR_GENERATION' | 'DETECT_PR_ERRORS' | 'FIX_PR_ERRORS' | 'PR_CREATION_FAILED' | 'PR_EVALUATION' | 'COMMIT_EVALUATION' | 'AGENT_RUN_LINK'>
    }
    body: undefined
    answer: AgentRunWithLogsResponse
  }
  /** Follow a run's log as it grows */
  streamLog: {
    path: {
      org_id: number
      agent_run_id: number
    }
    query: {
      after_seq?: number
      ticket?: string
    }
    body: undefined
    answer: string
  }
  /** Follow the status of all runs */
  streamRuns: {
    path: {
      org_id: number
    }
    query: {
      ticket?: string
    }
    body: undefined
    answer: string
  }
  /** Make a ticket for one stream */
  createStreamTicket: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: StreamTicket
  }
  /** Sign a browser in */
  createSession: {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      token: string
    }
    answer: Session
  }
  /** Sign a browser out */
  revokeSession: {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: undefined
  }
  /** How people sign in here */
  listSignInWays: {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: SignInWays
  }
  /** List repositories */
  listRepos: {
    path: {
      org_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: RepositoryPage
  }
  /** Make a repository, empty or a copy, or connect one */
  createRepo: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: {
      /** Taken from the source when left out. */
      name?: string | null
      /** The address of a repository, or a path on the server where the operator allows it. */
      import_from?: string | null
      description?: string | null
      /** Of the code host that has it; with full_name. */
      integration_id?: number | null
      /** As acme/web. */
      full_name?: string | null
    }
    answer: Repository
  }
  /** Read a repository */
  getRepo: {
    path: {
      org_id: number
      repo_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: Repository
  }
  /** Configure a repository */
  updateRepo: {
    path: {
      org_id: number
      repo_id: number
    }
    query: Record<never, never>
    body: {
      description?: string | null
      archived?: boolean | null
      /** Only workers that have all of these take its runs; a repository without any has those of its organization. */
      labels?: Array<string> | null
      /** What prepares its work tree, for bash. */
      setup_commands?: string | null
      /** Whether its runs fail where the setup fails, or go on without it. */
      setup_required?: boolean | null
      /** Whether commands that a run has found, and a test that passes, count without a person’s word; as the organization says where it is not set. */
      accept_setup_commands?: boolean | null
      /** When agents review pull requests by themselves: never, once each is ready, or at each commit that it comes to rest at. */
      review_pulls?: 'off' | 'opened' | 'each_head' | null
      /** Branches on which agents look at what people push. */
      watched_branches?: Array<string> | null
      /** What workers run on the built-in host at the head of each open pull request, and of the default branch, after the setup commands. */
      check_commands?: Array<{
        name: string
        /** For bash. */
        command: string
      }> | null
      /** The first is used by runs that name none; a repository without any has those of its organization. */
      default_models?: Array<string> | null
      /** Names of secrets that every command of its runs has in its environment. The others are asked for by name. */
      environment_secrets?: Array<string> | null
    }
    answer: Repository
  }
  /** Remove a repository */
  removeRepo: {
    path: {
      org_id: number
      repo_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: undefined
  }
  /** Read how agents mend checks that fail in a repository */
  getCheckSettings: {
    path: {
      org_id: number
    }
    query: {
      repo_id: number
    }
    body: undefined
    answer: CheckSuiteSettings
  }
  /** Say how agents mend checks that fail in a repository */
  saveCheckSettings: {
    path: {
      org_id: number
    }
    query: {
      repo_id: number
    }
    body: {
      /** How often agents mend one check that fails, for each pull request. 0: never. */
      check_retry_count?: number | null
      /** Checks, or apps that run checks, that agents take no notice of. */
      ignored_checks?: Array<string> | null
      /** The count of single checks, or of all checks of an app. */
      check_retry_counts?: Record<string, unknown> | null
      /** What an agent is told besides when it mends this check, or one of this app. */
      custom_prompts?: Record<string, unknown> | null
      /** Where a check of one of these fails, nobody waits for the other checks. */
      high_priority_apps?: Array<string> | null
      /** How long the checks of a commit may take to turn up. */
      settle_seconds?: number | null
    }
    answer: CheckSuiteSettings
  }
  /** Find the commands that set a repository up */
  generateSetupCommands: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: {
      repo_id: number
      /** What the agent should know of it. */
      prompt?: string | null
      /** What has asked for it, such as "setup-commands". */
      trigger_source?: string | null
    }
    answer: SetupRun
  }
  /** List what was found of a repository’s setup, the newest first */
  listSetupProposals: {
    path: {
      org_id: number
      repo_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: SetupProposalPage
  }
  /** Make the commands of a proposal the repository’s own */
  acceptSetupProposal: {
    path: {
      org_id: number
      repo_id: number
      n: number
    }
    query: Record<never, never>
    body: {
      /** Whether its test command becomes the check "test", where there is none of that name. */
      add_check?: boolean | null
    }
    answer: SetupProposal
  }
  /** List what the setup of a repository has left, the newest first */
  listSnapshots: {
    path: {
      org_id: number
      repo_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: SnapshotPage
  }
  /** Remove what a setup has left */
  removeSnapshot: {
    path: {
      org_id: number
      repo_id: number
      n: number
    }
    query: Record<never, never>
    body: undefined
    answer: undefined
  }
  /** List pull requests, the newest first */
  listPulls: {
    path: {
      org_id: number
    }
    query: {
      repo_id?: number
      run_id?: number
      number?: number
      state?: 'open' | 'closed'
      skip?: number
      limit?: number
    }
    body: undefined
    answer: PullRequestPage
  }
  /** Read a pull request */
  getPull: {
    path: {
      org_id: number
      pr_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: PullRequest
  }
  /** Edit, close or open a pull request again */
  updatePull: {
    path: {
      org_id: number
      pr_id: number
    }
    query: Record<never, never>
    body: {
      state?: 'open' | 'closed' | 'draft' | 'ready_for_review' | null
      title?: string | null
      body?: string | null
    }
    answer: PullRequestUpdate
  }
  /** Edit, close or open a pull request again */
  updateRepoPull: {
    path: {
      org_id: number
      repo_id: number
      pr_id: number
    }
    query: Record<never, never>
    body: {
      state?: 'open' | 'closed' | 'draft' | 'ready_for_review' | null
      title?: string | null
      body?: string | null
    }
    answer: PullRequestUpdate
  }
  /** Read what a pull request changes */
  getPullDiff: {
    path: {
      org_id: number
      pr_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: string
  }
  /** List the files that a pull request changes, by path */
  listPullFiles: {
    path: {
      org_id: number
      pr_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: PullRequestFilePage
  }
  /** List what was said of a pull request, the oldest first */
  listPullComments: {
    path: {
      org_id: number
      pr_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: PullRequestCommentPage
  }
  /** Say something of a pull request, or of a line of it */
  createPullComment: {
    path: {
      org_id: number
      pr_id: number
    }
    query: Record<never, never>
    body: {
      body: string
      /** A file that it changes; goes with `line`. */
      path?: string | null
      line?: number | null
      /** The file as it was or as it is now: head when left out. */
      side?: 'base' | 'head' | null
    }
    answer: PullRequestComment
  }
  /** List the checks of a pull request */
  listPullChecks: {
    path: {
      org_id: number
      pr_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: CheckPage
  }
  /** Read what a check of a pull request has printed */
  getPullCheckLog: {
    path: {
      org_id: number
      pr_id: number
      check_key: string
    }
    query: Record<never, never>
    body: undefined
    answer: string
  }
  /** Report a check of an outside CI */
  reportCheck: {
    path: {
      org_id: number
      repo_id: number
      sha: string
    }
    query: Record<never, never>
    body: {
      name: string
      status: 'queued' | 'in_progress' | 'completed'
      /** Goes with `completed`, and with nothing else. */
      conclusion?: 'success' | 'failure' | 'cancelled' | 'timed_out' | 'neutral' | 'skipped' | 'action_required' | 'stale' | 'startup_failure' | null
      /** Where people read more of it. */
      url?: string | null
      summary?: string | null
      /** The end of what it has printed. */
      log?: string | null
    }
    answer: Check
  }
  /** Merge a pull request */
  mergePull: {
    path: {
      org_id: number
      pr_id: number
    }
    query: Record<never, never>
    body: {
      /** A merge commit when left out. */
      method?: 'merge' | 'squash' | 'rebase' | null
      /** What you have read of it: where its branch has moved on, nothing is merged. */
      expected_head?: string | null
    }
    answer: PullRequest
  }
  /** List the reviews of a pull request that were written here, the oldest first */
  listReviews: {
    path: {
      org_id: number
      pr_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: PullRequestReviewPage
  }
  /** Review a pull request */
  createReview: {
    path: {
      org_id: number
      pr_id: number
    }
    query: Record<never, never>
    body: {
      /** comment when left out. */
      verdict?: 'comment' | 'approve' | 'request_changes' | null
      body: string
      /** On lines that its diff shows; others go into the body. */
      comments?: Array<{
        path: string
        line: number
        side?: 'base' | 'head' | null
        body: string
      }> | null
    }
    answer: PullRequestReview
  }
  /** Ask an agent to review a pull request */
  requestReview: {
    path: {
      org_id: number
      pr_id: number
    }
    query: Record<never, never>
    body: {
      /** The engine; the built-in agent, which needs a model, when left out. */
      agent_type?: string | null
      model?: string | null
    }
    answer: AgentRun
  }
  /** List the issues of a repository of the built-in host, the newest first */
  listIssues: {
    path: {
      org_id: number
      repo_id: number
    }
    query: {
      skip?: number
      limit?: number
      state?: 'open' | 'closed' | 'all'
    }
    body: undefined
    answer: IssuePage
  }
  /** Open an issue in a repository of the built-in host */
  createIssue: {
    path: {
      org_id: number
      repo_id: number
    }
    query: Record<never, never>
    body: {
      title: string
      body?: string | null
      labels?: Array<string> | null
      assigned_to_agent?: boolean | null
    }
    answer: Issue
  }
  /** An issue of the built-in host */
  getIssue: {
    path: {
      org_id: number
      repo_id: number
      n: number
    }
    query: Record<never, never>
    body: undefined
    answer: Issue
  }
  /** Edit, close, label or assign an issue of the built-in host */
  updateIssue: {
    path: {
      org_id: number
      repo_id: number
      n: number
    }
    query: Record<never, never>
    body: {
      title?: string | null
      body?: string | null
      state?: 'open' | 'closed' | null
      labels?: Array<string> | null
      assigned_to_agent?: boolean | null
    }
    answer: Issue
  }
  /** List what was said at an issue, the oldest first */
  listIssueComments: {
    path: {
      org_id: number
      repo_id: number
      n: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: IssueCommentPage
  }
  /** Say something at an issue */
  createIssueComment: {
    path: {
      org_id: number
      repo_id: number
      n: number
    }
    query: Record<never, never>
    body: {
      body: string
    }
    answer: IssueComment
  }
  /** List the organizations that the token works in */
  listOrganizations: {
    path: Record<never, never>
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: OrganizationPage
  }
  /** Make an organization */
  createOrganization: {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      name: string
    }
    answer: Organization
  }
  /** Read an organization */
  getOrganization: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: Organization
  }
  /** Configure an organization */
  updateOrganization: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: {
      name?: string | null
      settings?: {
        enable_pr_creation?: boolean | null
        enable_rules_detection?: boolean | null
        /** How limits must be held at least, in the order `none`, `polled`, `per-process`, `kernel`; runs are refused where they are not. Replaces what was required before. */
        sandbox_require?: {
          memory?: 'none' | 'polled' | 'per-process' | 'kernel'
          cpu?: 'none' | 'polled' | 'per-process' | 'kernel'
          processes?: 'none' | 'polled' | 'per-process' | 'kernel'
          disk?: 'none' | 'polled' | 'per-process' | 'kernel'
          network?: 'none' | 'polled' | 'per-process' | 'kernel'
          kill?: 'none' | 'polled' | 'per-process' | 'kernel'
        } | null
        /** By what people mention the agent on code hosts, after an `@`. */
        agent_name?: string | null
        /** Issues that get this label are given to the agent; empty: none is. */
        trigger_label?: string | null
        accept_setup_commands?: boolean | null
        /** When agents review pull requests by themselves: never, once each is ready, or at each commit that it comes to rest at. */
        review_pulls?: 'off' | 'opened' | 'each_head' | null
        enable_review_approval?: boolean | null
        require_mentions?: boolean | null
      } | null
      /** Only workers that have all of these take its runs; a repository without any has those of its organization. */
      labels?: Array<string> | null
      /** The first is used by runs that name none; a repository without any has those of its organization. */
      default_models?: Array<string> | null
      limits?: {
        max_running?: number | null
        /** No more than whoever runs the service allows; with their token, what they allow. */
        storage_bytes_max?: number | null
      } | null
    }
    answer: Organization
  }
  /** List the members */
  listMembers: {
    path: {
      org_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: UserPage
  }
  /** Add a member */
  createMember: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: {
      /** Left out for a service account. */
      email?: string | null
      full_name?: string | null
      /** MEMBER when left out. */
      role?: 'ADMIN' | 'MANAGER' | 'MEMBER' | null
    }
    answer: User
  }
  /** Change the role of a member, or say who it is on GitHub */
  updateMember: {
    path: {
      org_id: number
      user_id: number
    }
    query: Record<never, never>
    body: {
      role?: 'ADMIN' | 'MANAGER' | 'MEMBER' | null
      /** The number, which survives a change of the name. */
      github_user_id?: string | null
      /** Shown to people; only with the number. */
      github_username?: string | null
    }
    answer: User
  }
  /** Remove a member */
  removeMember: {
    path: {
      org_id: number
      user_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: undefined
  }
  /** List the members of an organization */
  listUsers: {
    path: {
      org_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: UserPage
  }
  /** Read a member of an organization */
  getUser: {
    path: {
      org_id: number
      user_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: User
  }
  /** Read the user that the token speaks for */
  getMe: {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: Me
  }
  /** Change the user that the token speaks for */
  updateMe: {
    path: Record<never, never>
    query: Record<never, never>
    body: {
      full_name?: string | null
      user_custom_prompt?: string | null
    }
    answer: Me
  }
  /** List tokens */
  listTokens: {
    path: {
      org_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: TokenPage
  }
  /** Make a token */
  createToken: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: {
      name: string
      /** Each takes in those before it. All that the role may when left out. */
      scopes?: Array<'read' | 'run' | 'manage' | 'admin'> | null
      /** Never when left out. */
      expires_at?: string | null
      /** For somebody else; takes an ADMIN. */
      user_id?: number | null
    }
    answer: NewToken
  }
  /** Give a token another secret */
  rotateToken: {
    path: {
      org_id: number
      token_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: NewToken
  }
  /** End a token */
  revokeToken: {
    path: {
      org_id: number
      token_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: undefined
  }
  /** Read the rules of the organization and the prompt of the user */
  getClientRules: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: ClientRules
  }
  /** Read what the organization tells its agents */
  getRules: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: Rules
  }
  /** Write what the organization tells its agents */
  saveRules: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: {
      rules: string | null
    }
    answer: Rules
  }
  /** List the secrets of the organization, without their values */
  listSecrets: {
    path: {
      org_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: SecretPage
  }
  /** Keep a value under a name, for runs of the organization */
  saveSecret: {
    path: {
      org_id: number
      name: string
    }
    query: Record<never, never>
    body: {
      /** At least 8 bytes, and 5 different ones; at most 16 KiB. No answer ever shows it. */
      value: string
    }
    answer: Secret
  }
  /** Remove a secret of the organization */
  removeSecret: {
    path: {
      org_id: number
      name: string
    }
    query: Record<never, never>
    body: undefined
    answer: undefined
  }
  /** List the secrets of a repository, without their values */
  listRepoSecrets: {
    path: {
      org_id: number
      repo_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: SecretPage
  }
  /** Keep a value under a name, for runs in a repository */
  saveRepoSecret: {
    path: {
      org_id: number
      repo_id: number
      name: string
    }
    query: Record<never, never>
    body: {
      /** At least 8 bytes, and 5 different ones; at most 16 KiB. No answer ever shows it. */
      value: string
    }
    answer: Secret
  }
  /** Remove a secret of a repository */
  removeRepoSecret: {
    path: {
      org_id: number
      repo_id: number
      name: string
    }
    query: Record<never, never>
    body: undefined
    answer: undefined
  }
  /** Read what sandboxes of the organization may reach */
  getEgress: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: Egress
  }
  /** Say what sandboxes of the organization may reach */
  saveEgress: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: {
      /** Hosts by name: `example.com`, `*.example.com` for all below it, with `:port` for another port than 443 and 80. */
      allow?: Array<string>
      /** What programs of one kind fetch from. */
      presets?: Array<'npm' | 'pypi' | 'crates' | 'go' | 'debian' | 'github'>
      /** Whether `.runwright.yml` of a base branch may let the runs of its repository reach more. */
      from_file?: boolean
    }
    answer: Egress
  }
  /** Read what sandboxes may reach besides in runs of a repository */
  getRepoEgress: {
    path: {
      org_id: number
      repo_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: Egress
  }
  /** Say what sandboxes may reach besides in runs of a repository */
  saveRepoEgress: {
    path: {
      org_id: number
      repo_id: number
    }
    query: Record<never, never>
    body: {
      /** Hosts by name: `example.com`, `*.example.com` for all below it, with `:port` for another port than 443 and 80. */
      allow?: Array<string>
      /** What programs of one kind fetch from. */
      presets?: Array<'npm' | 'pypi' | 'crates' | 'go' | 'debian' | 'github'>
      /** Whether `.runwright.yml` of a base branch may let the runs of its repository reach more. */
      from_file?: boolean
    }
    answer: Egress
  }
  /** List what a run has asked of the network, and what it was told */
  listRunEgress: {
    path: {
      org_id: number
      agent_run_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: EgressRequestPage
  }
  /** List what was asked of the network in one sandbox, and what it was told */
  listSandboxEgress: {
    path: {
      org_id: number
      sandbox_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: EgressRequestPage
  }
  /** List sandboxes, the newest first */
  listSandboxes: {
    path: {
      org_id: number
    }
    query: {
      skip?: number
      limit?: number
      agent_run_id?: number
    }
    body: undefined
    answer: SandboxPage
  }
  /** Read a sandbox */
  getSandbox: {
    path: {
      org_id: number
      sandbox_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: Sandbox
  }
  /** List what ran in a sandbox, the oldest first */
  listSandboxLog: {
    path: {
      org_id: number
      sandbox_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: SandboxCommandPage
  }
  /** Have explained what went wrong in a sandbox */
  analyzeLogs: {
    path: {
      org_id: number
      sandbox_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: LogAnalysis
  }
  /** List what the organization is connected with */
  listIntegrations: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: Integrations
  }
  /** Connect a code host */
  createIntegration: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: {
      type: 'github'
      /** Of GitHub Enterprise: https://github.example.com/api/v3. */
      base_url?: string | null
      app_id?: number | null
      installation_id?: number | null
      /** A personal access token. */
      token?: string | null
      /** An App's, as PEM. */
      private_key?: string | null
      /** What the host signs its events with; the one before stays good. */
      webhook_secret?: string | null
    }
    answer: Integration
  }
  /** Begin to make a GitHub App for the organization */
  createAppForm: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: {
      /** A page of yours; the web UI when left out. */
      return_url?: string | null
      /** Of GitHub Enterprise. */
      base_url?: string | null
      /** The organization at GitHub that is to own the App; the person when left out. */
      account?: string | null
    }
    answer: AppForm
  }
  /** Connect the GitHub App that was made of a form */
  finishAppForm: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: {
      /** What GitHub calls `code`. */
      form_code: string
      /** What GitHub calls `state`. */
      form_state: string
    }
    answer: Integration
  }
  /** Change how a code host is connected, or switch it off */
  updateIntegration: {
    path: {
      org_id: number
      integration_id: number
    }
    query: Record<never, never>
    body: {
      active?: boolean | null
      installation_id?: number | null
      /** A personal access token. */
      token?: string | null
      /** An App's, as PEM. */
      private_key?: string | null
      /** What the host signs its events with; the one before stays good. */
      webhook_secret?: string | null
    }
    answer: Integration
  }
  /** Disconnect a code host */
  removeIntegration: {
    path: {
      org_id: number
      integration_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: undefined
  }
  /** See what the organization stores, and how much it may */
  getStorage: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: Storage
  }
  /** See what models were asked, and what it cost */
  listUsage: {
    path: {
      org_id: number
    }
    query: {
      skip?: number
      limit?: number
      group_by?: Array<'day' | 'user' | 'repo' | 'engine' | 'model'>
      from?: string
      to?: string
      user_id?: number
      repo_id?: number
    }
    body: undefined
    answer: UsagePage
  }
  /** List the budgets, and what is spent of each */
  listBudgets: {
    path: {
      org_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: BudgetPage
  }
  /** Set a limit in money */
  createBudget: {
    path: {
      org_id: number
    }
    query: Record<never, never>
    body: {
      limit_usd: number
      /** Days and months are those of UTC; `total`: all that was ever spent. */
      period?: 'day' | 'month' | 'total'
      user_id?: number | null
      repo_id?: number | null
    }
    answer: Budget
  }
  /** Change a budget */
  updateBudget: {
    path: {
      org_id: number
      budget_id: number
    }
    query: Record<never, never>
    body: {
      limit_usd?: number
      /** Days and months are those of UTC; `total`: all that was ever spent. */
      period?: 'day' | 'month' | 'total'
    }
    answer: Budget
  }
  /** Remove a budget */
  removeBudget: {
    path: {
      org_id: number
      budget_id: number
    }
    query: Record<never, never>
    body: undefined
    answer: undefined
  }
  /** See how often your token may still ask */
  listRateLimits: {
    path: {
      org_id: number
    }
    query: {
      skip?: number
      limit?: number
    }
    body: undefined
    answer: RateLimitPage
  }
  /** Whether the process answers */
  getHealth: {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: Health
  }
  /** Whether the service can work */
  getReadiness: {
    path: Record<never, never>
    query: Record<never, never>
    body: undefined
    answer: Readiness
  }
}

/** Where each operation is found. */
export const operations = {
  createRun: { method: 'POST', path: '/v1/organizations/{org_id}/agent/run', mediaType: 'application/json' },
  resumeRun: { method: 'POST', path: '/v1/organizations/{org_id}/agent/run/resume', mediaType: 'application/json' },
  listRuns: { method: 'GET', path: '/v1/organizations/{org_id}/agent/runs', mediaType: 'application/json' },
  getRun: { method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}', mediaType: 'application/json' },
  updateRun: { method: 'PATCH', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}', mediaType: 'application/json' },
  cancelRun: { method: 'POST', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/cancel', mediaType: 'application/json' },
  banRun: { method: 'POST', path: '/v1/organizations/{org_id}/agent/run/ban', mediaType: 'application/json' },
  unbanRun: { method: 'POST', path: '/v1/organizations/{org_id}/agent/run/unban', mediaType: 'application/json' },
  removeRunFromPull: { method: 'POST', path: '/v1/organizations/{org_id}/agent/run/remove-from-pr', mediaType: 'application/json' },
  getRunDiff: { method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/diff', mediaType: 'text/x-diff' },
  pauseRun: { method: 'POST', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/pause', mediaType: 'application/json' },
  continueRun: { method: 'POST', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/continue', mediaType: 'application/json' },
  getTimeline: { method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/timeline', mediaType: 'application/json' },
  createMessage: { method: 'POST', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/messages', mediaType: 'application/json' },
  listMessages: { method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/messages', mediaType: 'application/json' },
  revokeMessage: { method: 'DELETE', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/messages/{n}', mediaType: null },
  listQuestions: { method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/questions', mediaType: 'application/json' },
  answerQuestion: { method: 'POST', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/questions/{n}/answer', mediaType: 'application/json' },
  listArtifacts: { method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/artifacts', mediaType: 'application/json' },
  getArtifact: { method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/artifacts/{name}', mediaType: 'application/octet-stream' },
  listEngines: { method: 'GET', path: '/v1/organizations/{org_id}/engines', mediaType: 'application/json' },
  listModels: { method: 'GET', path: '/v1/organizations/{org_id}/models', mediaType: 'application/json' },
  listLog: { method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/logs', mediaType: 'application/json' },
  listLogAlpha: { method: 'GET', path: '/v1/alpha/organizations/{org_id}/agent/run/{agent_run_id}/logs', mediaType: 'application/json' },
  streamLog: { method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/logs/stream', mediaType: 'text/event-stream' },
  streamRuns: { method: 'GET', path: '/v1/organizations/{org_id}/agent/runs/stream', mediaType: 'text/event-stream' },
  createStreamTicket: { method: 'POST', path: '/v1/organizations/{org_id}/stream-tickets', mediaType: 'application/json' },
  createSession: { method: 'POST', path: '/v1/session', mediaType: 'application/json' },
  revokeSession: { method: 'DELETE', path: '/v1/session', mediaType: null },
  listSignInWays: { method: 'GET', path: '/v1/sign-in-ways', mediaType: 'application/json' },
  listRepos: { method: 'GET', path: '/v1/organizations/{org_id}/repos', mediaType: 'application/json' },
  createRepo: { method: 'POST', path: '/v1/organizations/{org_id}/repos', mediaType: 'application/json' },
  getRepo: { method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}', mediaType: 'application/json' },
  updateRepo: { method: 'PATCH', path: '/v1/organizations/{org_id}/repos/{repo_id}', mediaType: 'application/json' },
  removeRepo: { method: 'DELETE', path: '/v1/organizations/{org_id}/repos/{repo_id}', mediaType: null },
  getCheckSettings: { method: 'GET', path: '/v1/organizations/{org_id}/repos/check-suite-settings', mediaType: 'application/json' },
  saveCheckSettings: { method: 'PUT', path: '/v1/organizations/{org_id}/repos/check-suite-settings', mediaType: 'application/json' },
  generateSetupCommands: { method: 'POST', path: '/v1/organizations/{org_id}/setup-commands/generate', mediaType: 'application/json' },
  listSetupProposals: { method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}/setup-proposals', mediaType: 'application/json' },
  acceptSetupProposal: { method: 'POST', path: '/v1/organizations/{org_id}/repos/{repo_id}/setup-proposals/{n}/accept', mediaType: 'application/json' },
  listSnapshots: { method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}/snapshots', mediaType: 'application/json' },
  removeSnapshot: { method: 'DELETE', path: '/v1/organizations/{org_id}/repos/{repo_id}/snapshots/{n}', mediaType: null },
  listPulls: { method: 'GET', path: '/v1/organizations/{org_id}/prs', mediaType: 'application/json' },
  getPull: { method: 'GET', path: '/v1/organizations/{org_id}/prs/{pr_id}', mediaType: 'application/json' },
  updatePull: { method: 'PATCH', path: '/v1/organizations/{org_id}/prs/{pr_id}', mediaType: 'application/json' },
  updateRepoPull: { method: 'PATCH', path: '/v1/organizations/{org_id}/repos/{repo_id}/prs/{pr_id}', mediaType: 'application/json' },
  getPullDiff: { method: 'GET', path: '/v1/organizations/{org_id}/prs/{pr_id}/diff', mediaType: 'text/x-diff' },
  listPullFiles: { method: 'GET', path: '/v1/organizations/{org_id}/prs/{pr_id}/files', mediaType: 'application/json' },
  listPullComments: { method: 'GET', path: '/v1/organizations/{org_id}/prs/{pr_id}/comments', mediaType: 'application/json' },
  createPullComment: { method: 'POST', path: '/v1/organizations/{org_id}/prs/{pr_id}/comments', mediaType: 'application/json' },
  listPullChecks: { method: 'GET', path: '/v1/organizations/{org_id}/prs/{pr_id}/checks', mediaType: 'application/json' },
  getPullCheckLog: { method: 'GET', path: '/v1/organizations/{org_id}/prs/{pr_id}/checks/{check_key}/log', mediaType: 'text/plain' },
  reportCheck: { method: 'POST', path: '/v1/organizations/{org_id}/repos/{repo_id}/commits/{sha}/checks', mediaType: 'application/json' },
  mergePull: { method: 'POST', path: '/v1/organizations/{org_id}/prs/{pr_id}/merge', mediaType: 'application/json' },
  listReviews: { method: 'GET', path: '/v1/organizations/{org_id}/prs/{pr_id}/reviews', mediaType: 'application/json' },
  createReview: { method: 'POST', path: '/v1/organizations/{org_id}/prs/{pr_id}/reviews', mediaType: 'application/json' },
  requestReview: { method: 'POST', path: '/v1/organizations/{org_id}/prs/{pr_id}/reviews/request', mediaType: 'application/json' },
  listIssues: { method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}/issues', mediaType: 'application/json' },
  createIssue: { method: 'POST', path: '/v1/organizations/{org_id}/repos/{repo_id}/issues', mediaType: 'application/json' },
  getIssue: { method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}/issues/{n}', mediaType: 'application/json' },
  updateIssue: { method: 'PATCH', path: '/v1/organizations/{org_id}/repos/{repo_id}/issues/{n}', mediaType: 'application/json' },
  listIssueComments: { method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}/issues/{n}/comments', mediaType: 'application/json' },
  createIssueComment: { method: 'POST', path: '/v1/organizations/{org_id}/repos/{repo_id}/issues/{n}/comments', mediaType: 'application/json' },
  listOrganizations: { method: 'GET', path: '/v1/organizations', mediaType: 'application/json' },
  createOrganization: { method: 'POST', path: '/v1/organizations', mediaType: 'application/json' },
  getOrganization: { method: 'GET', path: '/v1/organizations/{org_id}', mediaType: 'application/json' },
  updateOrganization: { method: 'PATCH', path: '/v1/organizations/{org_id}', mediaType: 'application/json' },
  listMembers: { method: 'GET', path: '/v1/organizations/{org_id}/members', mediaType: 'application/json' },
  createMember: { method: 'POST', path: '/v1/organizations/{org_id}/members', mediaType: 'application/json' },
  updateMember: { method: 'PATCH', path: '/v1/organizations/{org_id}/members/{user_id}', mediaType: 'application/json' },
  removeMember: { method: 'DELETE', path: '/v1/organizations/{org_id}/members/{user_id}', mediaType: null },
  listUsers: { method: 'GET', path: '/v1/organizations/{org_id}/users', mediaType: 'application/json' },
  getUser: { method: 'GET', path: '/v1/organizations/{org_id}/users/{user_id}', mediaType: 'application/json' },
  getMe: { method: 'GET', path: '/v1/users/me', mediaType: 'application/json' },
  updateMe: { method: 'PATCH', path: '/v1/users/me', mediaType: 'application/json' },
  listTokens: { method: 'GET', path: '/v1/organizations/{org_id}/tokens', mediaType: 'application/json' },
  createToken: { method: 'POST', path: '/v1/organizations/{org_id}/tokens', mediaType: 'application/json' },
  rotateToken: { method: 'POST', path: '/v1/organizations/{org_id}/tokens/{token_id}/rotate', mediaType: 'application/json' },
  revokeToken: { method: 'DELETE', path: '/v1/organizations/{org_id}/tokens/{token_id}', mediaType: null },
  getClientRules: { method: 'GET', path: '/v1/organizations/{org_id}/cli/rules', mediaType: 'application/json' },
  getRules: { method: 'GET', path: '/v1/organizations/{org_id}/rules', mediaType: 'application/json' },
  saveRules: { method: 'PUT', path: '/v1/organizations/{org_id}/rules', mediaType: 'application/json' },
  listSecrets: { method: 'GET', path: '/v1/organizations/{org_id}/secrets', mediaType: 'application/json' },
  saveSecret: { method: 'PUT', path: '/v1/organizations/{org_id}/secrets/{name}', mediaType: 'application/json' },
  removeSecret: { method: 'DELETE', path: '/v1/organizations/{org_id}/secrets/{name}', mediaType: null },
  listRepoSecrets: { method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}/secrets', mediaType: 'application/json' },
  saveRepoSecret: { method: 'PUT', path: '/v1/organizations/{org_id}/repos/{repo_id}/secrets/{name}', mediaType: 'application/json' },
  removeRepoSecret: { method: 'DELETE', path: '/v1/organizations/{org_id}/repos/{repo_id}/secrets/{name}', mediaType: null },
  getEgress: { method: 'GET', path: '/v1/organizations/{org_id}/egress', mediaType: 'application/json' },
  saveEgress: { method: 'PUT', path: '/v1/organizations/{org_id}/egress', mediaType: 'application/json' },
  getRepoEgress: { method: 'GET', path: '/v1/organizations/{org_id}/repos/{repo_id}/egress', mediaType: 'application/json' },
  saveRepoEgress: { method: 'PUT', path: '/v1/organizations/{org_id}/repos/{repo_id}/egress', mediaType: 'application/json' },
  listRunEgress: { method: 'GET', path: '/v1/organizations/{org_id}/agent/run/{agent_run_id}/egress', mediaType: 'application/json' },
  listSandboxEgress: { method: 'GET', path: '/v1/organizations/{org_id}/sandboxes/{sandbox_id}/egress', mediaType: 'application/json' },
  listSandboxes: { method: 'GET', path: '/v1/organizations/{org_id}/sandboxes', mediaType: 'application/json' },
  getSandbox: { method: 'GET', path: '/v1/organizations/{org_id}/sandboxes/{sandbox_id}', mediaType: 'application/json' },
  listSandboxLog: { method: 'GET', path: '/v1/organizations/{org_id}/sandboxes/{sandbox_id}/logs', mediaType: 'application/json' },
  analyzeLogs: { method: 'POST', path: '/v1/organizations/{org_id}/sandbox/{sandbox_id}/analyze-logs', mediaType: 'application/json' },
  listIntegrations: { method: 'GET', path: '/v1/organizations/{org_id}/integrations', mediaType: 'application/json' },
  createIntegration: { method: 'POST', path: '/v1/organizations/{org_id}/integrations', mediaType: 'application/json' },
  createAppForm: { method: 'POST', path: '/v1/organizations/{org_id}/integrations/app-forms', mediaType: 'application/json' },
  finishAppForm: { method: 'POST', path: '/v1/organizations/{org_id}/integrations/app-forms/finish', mediaType: 'application/json' },
  updateIntegration: { method: 'PATCH', path: '/v1/organizations/{org_id}/integrations/{integration_id}', mediaType: 'application/json' },
  removeIntegration: { method: 'DELETE', path: '/v1/organizations/{org_id}/integrations/{integration_id}', mediaType: null },
  getStorage: { method: 'GET', path: '/v1/organizations/{org_id}/storage', mediaType: 'application/json' },
  listUsage: { method: 'GET', path: '/v1/organizations/{org_id}/usage', mediaType: 'application/json' },
  listBudgets: { method: 'GET', path: '/v1/organizations/{org_id}/budgets', mediaType: 'application/json' },
  createBudget: { method: 'POST', path: '/v1/organizations/{org_id}/budgets', mediaType: 'application/json' },
  updateBudget: { method: 'PATCH', path: '/v1/organizations/{org_id}/budgets/{budget_id}', mediaType: 'application/json' },
  removeBudget: { method: 'DELETE', path: '/v1/organizations/{org_id}/budgets/{budget_id}', mediaType: null },
  listRateLimits: { method: 'GET', path: '/v1/organizations/{org_id}/rate-limits', mediaType: 'application/json' },
  getHealth: { method: 'GET', path: '/healthz', mediaType: 'application/json' },
  getReadiness: { method: 'GET', path: '/readyz', mediaType: 'application/json' },
} as const satisfies Record<keyof Operations, Place>

export type Place = { method: string; path: string; mediaType: string | null }
