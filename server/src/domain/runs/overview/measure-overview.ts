import type { Metrics } from '#base/telemetry/metrics.ts'
import { metricLimits } from '#base/metric-limits.ts'
import type { Demand } from './read-overview.ts'
import type { WatchOverview } from './watch-overview.ts'

/** Has the metrics of the whole service looked up when they are read; while the database is away there are none. */
export function measureOverview(metrics: Metrics, watchOverview: WatchOverview): void {
  const {
    databaseUp,
    runs,
    oldestQueued,
    runsStuck,
    workersAlive,
    workersUnfit,
    slotsFree,
    runsQueued,
    slotsWanted,
    slotsUsed,
  } = metrics
  metrics.beforeRead(async () => {
    try {
      const seen = await watchOverview()
      databaseUp.set(1)
      runs.set({ status: 'queued' }, seen.queued)
      runs.set({ status: 'in_progress' }, seen.inProgress)
      runs.set({ status: 'waiting_for_user' }, seen.waitingForUser)
      runs.set({ status: 'paused' }, seen.paused)
      oldestQueued.set(seen.oldestQueuedSeconds)
      runsStuck.set({ reason: 'untaken' }, seen.untaken)
      runsStuck.set({ reason: 'orphaned' }, seen.orphaned)
      workersAlive.set(seen.workers)
      slotsFree.set(seen.freeSlots)
      workersUnfit.reset()
      for (const { fault, workers } of seen.unfit) workersUnfit.set({ fault }, workers)
      measureDemand(metrics, seen.demand)
    } catch {
      for (const gauge of [runs, runsStuck, workersUnfit, runsQueued, slotsWanted, slotsUsed]) gauge.reset()
      // Without labels, a gauge that is reset says 0.
      for (const gauge of [oldestQueued, workersAlive, slotsFree]) gauge.remove()
      databaseUp.set(0)
    }
  })
}

/** Labels are the organizations' to choose, so there may be any number of sets: the most wanted are told apart, and the rest is `other`. */
function measureDemand({ runsQueued, slotsWanted, slotsUsed }: Metrics, demand: Demand[]): void {
  for (const gauge of [runsQueued, slotsWanted, slotsUsed]) gauge.reset()
  for (const [n, each] of demand.entries()) {
    const labels = n < metricLimits.labelSetsMax ? each.labels.join(',') : 'other'
    runsQueued.inc({ labels }, each.queued)
    slotsWanted.inc({ labels }, each.wanted)
    slotsUsed.inc({ labels }, each.used)
  }
}
