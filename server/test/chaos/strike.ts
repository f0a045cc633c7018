// One run after the other loses its worker: `--fault lose` kills it and deletes its machine's sandboxes, `--fault freeze`
// stops it for `--seconds` and wakes it. Flags besides: --times 20 --seed 1 --keep.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { deleteSandboxes } from './faults.ts'
import { judge } from './judge.ts'
import { countRareBranches } from './rare-branches.ts'
import { onStage, type Stage } from './stage.ts'
import { planTasks } from './workload.ts'

const { values } = parseArgs({
  options: {
    fault: { type: 'string', default: 'lose' },
    times: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
})
const times = Number(values.times)
const isFreeze = values.fault === 'freeze'
const entries = 60

/** Under way, with a checkpoint behind it, and not near its end. */
const underWayMs = { from: 3_000, to: 7_000 }

async function strikeAll(stage: Stage): Promise<void> {
  const { random, tasks, journal, verdicts, cluster, board, holders } = stage
  const playing: Promise<unknown>[] = []
  const planned = planTasks(random, { runs: times, builtin: 0, commands: 1, entries, overMs: 0, prefix: 'task' })
  for (const task of planned) {
    await Promise.all(cluster.workers.map((worker) => worker.untilReady()))
    const before = new Set(holders.keys())
    const played = stage.play({ ...task, sends: 'once', reads: 'stream', act: null, paceMs: 2_500 })
    playing.push(played)
    const runId = await untilHeld(stage, before)
    await board.until(runId, ({ statusDetail }) => statusDetail === 'working')
    await sleep(random.between(underWayMs.from, underWayMs.to))
    const worker = cluster.workers.find(({ name }) => name === holders.get(runId))!
    journal.write({ kind: 'fault', fault: isFreeze ? 'freeze worker' : 'lose folder', victim: worker.name })
    if (isFreeze) await worker.freeze(Number(values.seconds) * 1_000)
    else {
      await worker.end('SIGKILL', { restartMs: 500 })
      await deleteSandboxes(worker.dataDir)
    }
    await played
    console.log(`${tasks.size} of ${times}: ${worker.name} held run ${runId}`)
  }
  await judge(stage, playing)
  const seen = (name: string) => countRareBranches(journal).find((branch) => branch.name === name)?.times ?? 0
  // A worker may have nothing in hand when it wakes, so not each of them has a write to be refused.
  const [request, timesMin] = isFreeze
    ? ['the write of a stale worker was refused', Math.ceil(times / 2)]
    : ['a work tree came back from a checkpoint', times]
  verdicts.check(`${request}, ${timesMin} times or more`, seen(request) >= timesMin, () => `${seen(request)} times`)
}

async function untilHeld({ holders }: Stage, before: Set<number>): Promise<number> {
  for (;;) {
    const runId = [...holders.keys()].find((id) => !before.has(id))
    if (runId !== undefined) return runId
    await sleep(20)
  }
}

console.log(`Strikes with --fault ${values.fault} --times ${times} --seconds ${values.seconds} --seed ${values.seed}`)
// A worker on each of two machines, so that the other one has none of the files.
const options = { seed: Number(values.seed), workers: 2, keep: values.keep }
process.exitCode = (await onStage(options, strikeAll)) ? 0 : 1
process.exit()
