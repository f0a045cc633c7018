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
    help: 'Whether PostgreSQL answered; at 0 the rows below of the whole service are left out',
    labels: [],
    joined: 'min',
  },
  runs: {
    kind: 'gauge',
    name: 'runwright_runs',
    help: 'Runs of the whole service that have not ended, by status; the queue is `queued`',
    labels: ['status'],
    joined: 'max',
  },
  oldestQueued: {
    kind: 'gauge',
    name: 'runwright_oldest_queued_seconds',
    help: 'How long the run has been queued that has waited for the longest, in the whole service',
    labels: [],
    joined: 'max',
  },
  runsStuck: {
    kind: 'gauge',
    name: 'runwright_runs_stuck',
    help: 'Runs of the whole service that do not get on: `untaken` though slots are free, `orphaned` by a lost worker',
    labels: ['reason'],
    joined: 'max',
  },
  workersAlive: {
    kind: 'gauge',
    name: 'runwright_workers_alive',
    help: 'Workers of the whole service that live and take runs',
    labels: [],
    joined: 'max',
  },
  workersUnfit: {
    kind: 'gauge',
    name: 'runwright_workers_unfit',
    help: 'Workers of the whole service that live and take no runs, by the fault of their machine: `disk_full`, `git_unreachable`, …',
    labels: ['fault'],
  },
  slotsFree: {
    kind: 'gauge',
    name: 'runwright_slots_free',
    help: 'Runs that the workers of the whole service could take besides those they have',
    labels: [],
    joined: 'max',
  },

  pickup: {
    kind: 'histogram',
    name: 'runwright_pickup_seconds',
    help: 'From queued to claimed, of the runs that this worker claimed',
    labels: [],
    buckets: waitBuckets,
  },
  takeover: {
    kind: 'histogram',
    name: 'runwright_takeover_seconds',
    help: "From a lost worker's last sign of life (at most 2 s before its end) until this worker claimed its run",
    labels: [],
    buckets: waitBuckets,
  },
  step: {
    kind: 'histogram',
    name: 'runwright_step_seconds',
    help: 'One model call or tool call, until its outcome was there',
    labels: ['kind', 'outcome'],
    buckets: stepBuckets,
  },
  turnsEnded: {
    kind: 'counter',
    name: 'runwright_turns_ended_total',
    help: "Turns that ended, seen by the process that ended them, by status and, where they failed, the run's error code",
    labels: ['status', 'code'],
  },
  turnsReleased: {
    kind: 'counter',
    name: 'runwright_turns_released_total',
    help: 'Turns that left this worker before their end, by why: `shutdown`, `paused`, `lost`, …',
    labels: ['reason'],
  },
  nodeFaults: {
    kind: 'counter',
    name: 'runwright_node_faults_total',
    help: 'Turns that failed on this worker by a fault of its machine, and were handed to another, by that fault',
    labels: ['fault'],
  },
  choresFailed: {
    kind: 'counter',
    name: 'runwright_chores_failed_total',
    help: 'Chores of this process that failed, by chore, such as `partitions` or `sweep`',
    labels: ['chore'],
  },
  choresFailing: {
    kind: 'gauge',
    name: 'runwright_chores_failing',
    help: '1 while the chore failed when it was done last in this process, else 0',
    labels: ['chore'],
  },
  workerUnfit: {
    kind: 'gauge',
    name: 'runwright_worker_unfit',
    help: '1 while this worker takes no runs for this fault of its machine, else 0',
    labels: ['fault'],
  },
  workerRuns: { kind: 'gauge', name: 'runwright_worker_runs', help: 'Runs at work in this worker', labels: [] },
  workerSlots: {
    kind: 'gauge',
    name: 'runwright_worker_slots',
    help: 'Runs that this worker takes at once',
    labels: [],
  },
  strayFaults: {
    kind: 'counter',
    name: 'runwright_stray_faults_total',
    help: 'Faults that nobody caught: they have ended a `run`, or nothing (`process`); each is a bug',
    labels: ['kind'],
  },
  leaseAge: {
    kind: 'gauge',
    name: 'runwright_lease_age_seconds',
    help: 'Since this worker last renewed its lease, every 2 s; at 6 s others take its runs',
    labels: [],
  },
  sandboxes: {
    kind: 'gauge',
    name: 'runwright_sandboxes',
    help: 'Sandboxes of this process that are alive',
    labels: [],
  },
  sandboxTroubles: {
    kind: 'counter',
    name: 'runwright_sandbox_troubles_total',
    help: 'What an operator should look at: `processes_left` (killed processes of a sandbox that do not end; its files are kept)',
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
    help: 'What model calls cost, where a price is known',
    labels: ['model'],
  },
  logEntries: {
    kind: 'counter',
    name: 'runwright_log_entries_total',
    help: 'Entries appended to logs, of the runs of this worker',
    labels: [],
  },
  logBytes: {
    kind: 'counter',
    name: 'runwright_log_bytes_total',
    help: 'Bytes appended to logs, of the runs of this worker',
    labels: [],
  },

  httpRequest: {
    kind: 'histogram',
    name: 'runwright_http_request_seconds',
    help: 'Requests but streams, by method, route and status',
    labels: ['method', 'route', 'status'],
    buckets: requestBuckets,
  },
  wrongTokens: {
    kind: 'counter',
    name: 'runwright_wrong_tokens_total',
    help: 'Tokens and sessions that were no good: `refused` after a look, `slowed` without one, as too many came from there',
    labels: ['outcome'],
  },
  streamsOpen: { kind: 'gauge', name: 'runwright_streams_open', help: 'Streams open in this process', labels: [] },
  streamEntries: {
    kind: 'counter',
    name: 'runwright_stream_entries_total',
    help: 'Log entries sent on streams',
    labels: [],
  },

  poolConnections: {
    kind: 'gauge',
    name: 'runwright_database_connections',
    help: "Of this process's pool: `used`, `idle`, and requests `waiting` for one",
    labels: ['state'],
  },
} as const satisfies Record<string, MetricRow>

/** What Node itself tells, besides; the library names it. */
export const nodeMetrics = [
  ['nodejs_eventloop_lag_seconds, nodejs_eventloop_lag_p99_seconds, …', 'How late the event loop runs'],
  ['nodejs_gc_duration_seconds, nodejs_heap_size_used_bytes, …', 'Memory, and what it costs to keep it clean'],
  [
    'process_cpu_seconds_total, process_resident_memory_bytes, process_open_fds, …',
    'The process as the system sees it',
  ],
] as const
