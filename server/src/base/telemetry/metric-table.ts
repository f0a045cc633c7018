type Kind = 'counter' | 'gauge' | 'histogram'
export type MetricRow = {
  kind: Kind
  name: string
  help: string
  labels: readonly string[]
  buckets?: readonly number[]
  /** What becomes of it where several processes are read as one; `sum` when left out. */
  joined?: 'sum' | 'min' | 'max' | 'first'
}

const requestBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const waitBuckets = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 300, 1800]
const stepBuckets = [0.01, 0.05, 0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600]

/**
 * Everything that is measured. No label names a tenant, a run or a person, and each has few values: who may read the
 * metrics learns how the service stands, and nothing of whom it works for.
 */
export const metricTable = {
  buildInfo: {
    kind: 'gauge',
    name: 'runwright_build_info',
    help: 'Always 1',
    labels: ['version', 'node'],
    joined: 'first',
  },

  databaseUp: {
    kind: 'gauge',
    name: 'runwright_database_up',
    help: '1 if PostgreSQL responded, else 0. At 0, the service-wide metrics below are omitted',
    labels: [],
    joined: 'min',
  },
  runs: {
    kind: 'gauge',
    name: 'runwright_runs',
    help: 'Runs that have not ended, service-wide, by status; `queued` is the queue',
    labels: ['status'],
    joined: 'max',
  },
  oldestQueued: {
    kind: 'gauge',
    name: 'runwright_oldest_queued_seconds',
    help: 'Time that the oldest queued run has been waiting, service-wide',
    labels: [],
    joined: 'max',
  },
  runsStuck: {
    kind: 'gauge',
    name: 'runwright_runs_stuck',
    help: 'Runs that make no progress, service-wide: `untaken` although slots are free, or `orphaned` by a lost worker',
    labels: ['reason'],
    joined: 'max',
  },
  workersAlive: {
    kind: 'gauge',
    name: 'runwright_workers_alive',
    help: 'Workers that are alive and take runs, service-wide',
    labels: [],
    joined: 'max',
  },
  workersUnfit: {
    kind: 'gauge',
    name: 'runwright_workers_unfit',
    help: 'Workers that are alive but take no runs, service-wide, by the fault of their machine: `disk_full`, `git_unreachable`, …',
    labels: ['fault'],
  },
  slotsFree: {
    kind: 'gauge',
    name: 'runwright_slots_free',
    help: 'Free run slots of the workers of all organizations, service-wide',
    labels: [],
    joined: 'max',
  },
  runsQueued: {
    kind: 'gauge',
    name: 'runwright_runs_queued',
    help: 'Queued runs, service-wide, by the labels that they require, joined by commas; `""` for none. The 50 sets of which most slots are wanted are told apart, the rest is `other`',
    labels: ['labels'],
    joined: 'max',
  },
  slotsWanted: {
    kind: 'gauge',
    name: 'runwright_slots_wanted',
    help: 'Slots that runs with these labels would take now, service-wide: those used, and one for each queued run as far as its organization is below its limit',
    labels: ['labels'],
    joined: 'max',
  },
  slotsUsed: {
    kind: 'gauge',
    name: 'runwright_slots_used',
    help: 'Slots taken by runs with these labels, service-wide',
    labels: ['labels'],
    joined: 'max',
  },

  pickup: {
    kind: 'histogram',
    name: 'runwright_pickup_seconds',
    help: 'Time from queued to claimed, for runs claimed by this worker',
    labels: [],
    buckets: waitBuckets,
  },
  takeover: {
    kind: 'histogram',
    name: 'runwright_takeover_seconds',
    help: 'Time from the last heartbeat of a lost worker (at most 2 s before its end) until this worker claimed its run',
    labels: [],
    buckets: waitBuckets,
  },
  step: {
    kind: 'histogram',
    name: 'runwright_step_seconds',
    help: 'Duration of one model call or tool call',
    labels: ['kind', 'outcome'],
    buckets: stepBuckets,
  },
  turnsEnded: {
    kind: 'counter',
    name: 'runwright_turns_ended_total',
    help: "Turns ended by this process, by status and, if they failed, by the run's error code",
    labels: ['status', 'code'],
  },
  turnsReleased: {
    kind: 'counter',
    name: 'runwright_turns_released_total',
    help: 'Turns that left this worker before they ended, by reason: `shutdown`, `paused`, `lost`, …',
    labels: ['reason'],
  },
  nodeFaults: {
    kind: 'counter',
    name: 'runwright_node_faults_total',
    help: 'Turns and checks that failed on this worker because of a fault of its machine and were passed to another worker, by fault',
    labels: ['fault'],
  },
  jobs: {
    kind: 'counter',
    name: 'runwright_jobs_total',
    help: 'Tries of background jobs by this worker, by kind, such as `host_event` or `check`, and outcome: `done`, `failed` (tried again), `gave_up`, `returned` (the worker stopped) or `lost` (another worker took over)',
    labels: ['kind', 'outcome'],
  },
  deletions: {
    kind: 'counter',
    name: 'runwright_deletions_total',
    help: 'Runs of which this process deleted everything (`runs`) or one part, such as `logs` or `artifacts`, because people asked for it or because it was kept no longer; and repositories (`repo`) and organizations (`organization`) that it deleted',
    labels: ['kind'],
  },
  choresFailed: {
    kind: 'counter',
    name: 'runwright_chores_failed_total',
    help: 'Failed chores of this process, by chore, such as `partitions` or `sweep`',
    labels: ['chore'],
  },
  choresFailing: {
    kind: 'gauge',
    name: 'runwright_chores_failing',
    help: '1 if the last execution of the chore in this process failed, else 0',
    labels: ['chore'],
  },
  workerUnfit: {
    kind: 'gauge',
    name: 'runwright_worker_unfit',
    help: '1 while this worker takes no runs because of this fault of its machine, else 0',
    labels: ['fault'],
  },
  workerRuns: {
    kind: 'gauge',
    name: 'runwright_worker_runs',
    help: 'Runs in progress on this worker, and on the remote workers connected to it',
    labels: [],
  },
  workerSlots: {
    kind: 'gauge',
    name: 'runwright_worker_slots',
    help: 'Maximum number of concurrent runs on this worker and the remote workers connected to it',
    labels: [],
  },
  remoteWorkers: {
    kind: 'gauge',
    name: 'runwright_remote_workers',
    help: 'Remote workers that are connected to this process',
    labels: [],
  },
  strayFaults: {
    kind: 'counter',
    name: 'runwright_stray_faults_total',
    help: 'Uncaught errors that ended a `run`, a `job` or nothing (`process`); each one is a bug',
    labels: ['kind'],
  },
  leaseAge: {
    kind: 'gauge',
    name: 'runwright_lease_age_seconds',
    help: 'Time since this worker last renewed its lease (normally every 2 s). At 6 s, other workers take its runs',
    labels: [],
  },
  sandboxes: {
    kind: 'gauge',
    name: 'runwright_sandboxes',
    help: 'Active sandboxes of this process',
    labels: [],
  },
  sandboxesReady: {
    kind: 'gauge',
    name: 'runwright_sandboxes_ready',
    help: 'Sandboxes of this process that wait for a run (`RUNWRIGHT_SANDBOX_POOL`)',
    labels: [],
  },
  sandboxTroubles: {
    kind: 'counter',
    name: 'runwright_sandbox_troubles_total',
    help: 'Problems that need an operator: `processes_left` (killed processes of a sandbox that do not end; its files are kept), `not_made_ready` (none can be made ready ahead; runs wait for their own)',
    labels: ['kind'],
  },
  modelTokens: {
    kind: 'counter',
    name: 'runwright_model_tokens_total',
    help: 'Tokens of model calls, by model and direction (`input`, `output`)',
    labels: ['model', 'direction'],
  },
  modelCost: {
    kind: 'counter',
    name: 'runwright_model_cost_usd_total',
    help: 'Cost of model calls with a known price',
    labels: ['model'],
  },
  logEntries: {
    kind: 'counter',
    name: 'runwright_log_entries_total',
    help: 'Log entries appended for runs of this worker',
    labels: [],
  },
  logBytes: {
    kind: 'counter',
    name: 'runwright_log_bytes_total',
    help: 'Log bytes appended for runs of this worker',
    labels: [],
  },

  httpRequest: {
    kind: 'histogram',
    name: 'runwright_http_request_seconds',
    help: 'Request duration, except streams, by method, route, and status',
    labels: ['method', 'route', 'status'],
    buckets: requestBuckets,
  },
  wrongTokens: {
    kind: 'counter',
    name: 'runwright_wrong_tokens_total',
    help: 'Invalid tokens and sessions: `refused` after a lookup, or `slowed` without one because too many came from the same address',
    labels: ['outcome'],
  },
  streamsOpen: { kind: 'gauge', name: 'runwright_streams_open', help: 'Open streams of this process', labels: [] },
  streamEntries: {
    kind: 'counter',
    name: 'runwright_stream_entries_total',
    help: 'Log entries sent on streams',
    labels: [],
  },

  poolConnections: {
    kind: 'gauge',
    name: 'runwright_database_connections',
    help: "Connections in this process's pool: `used`, `idle`, and requests `waiting` for one",
    labels: ['state'],
  },
} as const satisfies Record<string, MetricRow>

/** What Node itself tells, besides; the library names it. */
export const nodeMetrics = [
  ['nodejs_eventloop_lag_seconds, nodejs_eventloop_lag_p99_seconds, …', 'Event loop lag'],
  ['nodejs_gc_duration_seconds, nodejs_heap_size_used_bytes, …', 'Memory and garbage collection'],
  [
    'process_cpu_seconds_total, process_resident_memory_bytes, process_open_fds, …',
    'CPU, memory, and file descriptors of the process, as reported by the operating system',
  ],
] as const
