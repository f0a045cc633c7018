import { setTimeout as sleep } from 'node:timers/promises'
import { checkRuns, checkUnchanged, readEnded } from './check-runs.ts'
import { checkWork, countModelCalls } from './check-work.ts'
import { findLeftovers } from './find-leftovers.ts'
import { countRareBranches } from './rare-branches.ts'
import { hasEnded } from './run-board.ts'
import type { Stage } from './stage.ts'

/** After the last fault, every run has ended within this; what they have left is gone within that. */
const endMsMax = 120_000
const leftoverMs = 30_000

/** Waits until all tasks are over, in time, and judges what became of them. */
export async function judge(stage: Stage, playing: Promise<unknown>[]): Promise<void> {
  const { client, journal, verdicts, tasks, cluster, host, board, folder } = stage
  const lastFaultAt = Date.now()
  const inTime = sleep(endMsMax, 'late' as const, { ref: false })
  const isLate = (await Promise.race([Promise.all(playing), inTime])) === 'late'
  const endedAt = Date.now()
  const seconds = Math.round((endedAt - lastFaultAt) / 1_000)
  console.log(`${isLate ? 'Not all' : 'All'} ended ${seconds} s after the last fault.`)
  verdicts.check('every run has ended, and its readers know, 120 s after the last fault', !isLate, () => {
    const open = board.all().filter((run) => !hasEnded(run))
    return JSON.stringify({ unfinished: [...stage.unfinished], open })
  })
  await host.stop()
  const ended = await readEnded(tasks, client, journal)
  checkRuns(ended, { journal, verdicts })
  await checkWork(ended, { client, host, journal, verdicts, folder })
  await sleep(Math.max(0, endedAt + leftoverMs - Date.now()))
  const left = await findLeftovers(cluster)
  const promise = '30 s after the end no sandbox, process, mount, control group, token or temporary file is left'
  verdicts.check(promise, left.length === 0, () => left.slice(0, 5).join('; '))
  await checkUnchanged(ended, { client, verdicts })
  await board.stop()
  report(stage)
}

function report({ journal }: Stage): void {
  const faults = journal.read('fault').filter(({ victim }) => victim !== 'nobody was up')
  const kinds = [...new Set(faults.map(({ fault }) => fault))].toSorted()
  const times = kinds.map((kind) => `${faults.filter(({ fault }) => fault === kind).length} x ${kind}`)
  console.log(`${faults.length} faults: ${times.join(', ')}.`)
  const { made, repeated } = countModelCalls(journal)
  console.log(`${made} model calls, ${repeated} of them repeated.`)
  for (const branch of countRareBranches(journal)) console.log(`${String(branch.times).padStart(6)} x ${branch.name}`)
}
