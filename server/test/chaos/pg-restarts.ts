// PostgreSQL is stopped at once and started again, over and over, under a steady load of requests: nothing that was
// accepted may be lost. Flags: --restarts 30 --seconds 300 --rate 50 --seed 1 --keep.
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { onStage, type Stage } from './stage.ts'

const { values } = parseArgs({
  options: {
    restarts: { type: 'string', default: '30' },
    seconds: { type: 'string', default: '300' },
    rate: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
})
const restarts = Number(values.restarts)
const durationMs = Number(values.seconds) * 1_000
const rate = Number(values.rate)

/** One request in so many creates a run; the others read. */
const createEvery = 5

type Load = { waitsMs: number[]; accepted: Map<number, string> }

async function restartUnderLoad(stage: Stage): Promise<void> {
  const { cluster, journal, verdicts, board, host } = stage
  const load: Load = { waitsMs: [], accepted: new Map() }
  const begunAt = Date.now()
  const requests: Promise<void>[] = []
  const restarting = restartAll(stage, begunAt)
  for (let n = 0; n * (1_000 / rate) < durationMs; n++) {
    await sleep(Math.max(0, begunAt + n * (1_000 / rate) - Date.now()))
    requests.push(request(stage, n, load))
  }
  await Promise.all([restarting, ...requests])
  await host.stop()
  await board.refresh()
  const there = new Set(board.all().map(({ id }) => id))
  for (const [runId, key] of load.accepted)
    verdicts.check('every accepted run is there', there.has(runId), () => `${key}: run ${runId}`)
  const keys = new Set(load.accepted.values()).size
  const isOneEach = keys === load.accepted.size && keys === there.size
  const report = () => `${keys} keys, ${load.accepted.size} accepted runs, ${there.size} runs`
  verdicts.check('each key has made one run, and there are no others', isOneEach, report)
  const crashes = journal.read('fault').length
  verdicts.check('PostgreSQL was restarted as often as wanted', crashes === restarts, () => `${crashes}`)
  const waits = load.waitsMs.toSorted((one, other) => one - other)
  const at = (part: number) => Math.round(waits[Math.floor((waits.length - 1) * part)] ?? 0)
  const retried = journal.read('refused').length
  console.log(`${waits.length} requests, ${load.accepted.size} runs accepted, ${retried} requests sent again.`)
  console.log(`Waited p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${at(1)} ms; ${cluster.apis.length} APIs.`)
  await board.stop()
}

async function restartAll({ cluster, journal }: Stage, begunAt: number): Promise<void> {
  for (let n = 0; n < restarts; n++) {
    await sleep(Math.max(0, begunAt + ((n + 0.5) * durationMs) / restarts - Date.now()))
    journal.write({ kind: 'fault', fault: 'kill postgres', victim: 'SIGQUIT' })
    await cluster.postgres.crash('SIGQUIT', journal)
  }
}

async function request({ client }: Stage, n: number, { waitsMs, accepted }: Load): Promise<void> {
  const begun = performance.now()
  if (n % createEvery === 0) {
    const key = `request-${n}`
    const body = { prompt: key, agent_type: 'scripted', metadata: { script: [{ answer: 'Done.' }] } }
    const answer = await client.ask('POST', '/agent/run', { body, key })
    if (answer.status === 200) accepted.set(answer.body['id'] as number, key)
  } else await client.ask('GET', n % 2 ? '/agent/runs?limit=20' : '/rate-limits')
  waitsMs.push(performance.now() - begun)
}

console.log(`Restarts with --restarts ${restarts} --seconds ${values.seconds} --rate ${rate} --seed ${values.seed}`)
// No worker: what counts is what was accepted, and it waits in the queue.
const options = { seed: Number(values.seed), workers: 0, keep: values.keep }
process.exitCode = (await onStage(options, restartUnderLoad)) ? 0 : 1
process.exit()
