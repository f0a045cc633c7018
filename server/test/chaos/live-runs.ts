// Many runs at work at once, each of which does a step now and then: no worker may be taken for dead, readers of the API
// may not wait much longer than without, and few connections may do. Flags: --runs 1000 --seconds 180 --step-seconds 30
// --rate 20.
import type { ChildProcess } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startEmbedded } from '#db/embedded.ts'
import { startProcess, startService, stopProcess, type Service } from '#test/service.ts'
import { openVerdicts, printVerdicts } from './verdict.ts'

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    seconds: { type: 'string', default: '180' },
    'step-seconds': { type: 'string', default: '30' },
    rate: { type: 'string', default: '20' },
  },
})
const runs = Number(values.runs)
const seconds = Number(values.seconds)
const stepSeconds = Number(values['step-seconds'])
const rate = Number(values.rate)

const workers = 2
const connectionsMax = 30
const slowerMax = 2
/** Creating all of them at once would measure that. */
const createAtOnce = 8
/** Connections that were needed to begin are closed after ten seconds without use. */
const settleMs = 15_000
const at = '/v1/organizations/1'

async function main(): Promise<boolean> {
  console.log(`Live runs with --runs ${runs} --seconds ${seconds} --step-seconds ${stepSeconds} --rate ${rate}`)
  await using stack = new AsyncDisposableStack()
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-live-'))
  chmodSync(folder, 0o711)
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const postgres = await startEmbedded(path.join(folder, 'postgres'))
  stack.defer(() => postgres.stop())
  const defer = (cleanUp: () => Promise<void>) => {
    stack.defer(cleanUp)
  }
  const service = await startService({ databaseUrl: postgres.url, role: 'api', defer })
  const output = { takeovers: 0, ended: 0 }
  for (let n = 0; n < workers; n++) {
    const child = await startWorker(service, postgres.url, output)
    stack.defer(() => stopProcess(child))
  }
  await service.call('PATCH', at, { limits: { max_running: 1_000 } })

  const first = await create(service)
  const idleMs = await measure(service, first, { requests: 20 * rate })
  const ids = [first]
  const createSome = async () => {
    while (ids.length < runs) {
      const place = ids.push(0) - 1
      ids[place] = await create(service)
    }
  }
  await Promise.all(Array.from({ length: createAtOnce }, createSome))
  await untilAllWork(service)
  console.log(`${runs} runs are at work.`)
  await sleep(settleMs)
  const watch = watchConnections(postgres.url)
  const liveMs = await measure(service, first, { requests: seconds * rate })
  const connections = await watch.stop()
  const { total } = await service.call<{ total: number }>('GET', `${at}/agent/runs?status=in_progress&limit=1`)

  const verdicts = openVerdicts()
  verdicts.check('all runs are still at work', total === runs, () => `${total}`)
  verdicts.check('no worker was taken for dead', output.takeovers === 0 && output.ended === 0, () =>
    JSON.stringify(output),
  )
  const [idle, live] = [p99(idleMs), p99(liveMs)]
  console.log(`API p50 ${at50(idleMs)} ms idle, ${at50(liveMs)} ms live; p99 ${idle} ms idle, ${live} ms live.`)
  console.log(`At most ${connections} connections.`)
  verdicts.check(
    `p99 of the API is at most ${slowerMax} times that without`,
    live <= slowerMax * idle,
    () => `${live / idle}`,
  )
  verdicts.check(`at most ${connectionsMax} connections`, connections <= connectionsMax, () => `${connections}`)
  return printVerdicts(verdicts.all())
}

type Said = { takeovers: number; ended: number }

async function startWorker(service: Service, databaseUrl: string, output: Said): Promise<ChildProcess> {
  const { child, ready } = startProcess('worker', {
    env: {
      DATABASE_URL: databaseUrl,
      RUNWRIGHT_DATA_DIR: service.dataDir,
      RUNWRIGHT_WORKER_SLOTS: String(Math.ceil(runs / workers)),
    },
    onSaid: (text) => {
      output.takeovers += text.split('"msg":"run taken over"').length - 1
      output.ended += text.split('"msg":"worker ended"').length - 1
    },
  })
  await ready
  return child
}

async function create(service: Service): Promise<number> {
  const steps = Math.ceil((seconds + 3_600) / stepSeconds)
  const script = Array.from({ length: Math.min(steps, 200) }, (_, n) => [
    { sleep_ms: stepSeconds * 1_000 },
    { think: `Step ${n + 1}` },
  ])
  const body = { prompt: 'Live', agent_type: 'scripted', timeout_minutes: 120, metadata: { script: script.flat() } }
  return (await service.call<{ id: number }>('POST', `${at}/agent/run`, body)).id
}

async function untilAllWork(service: Service): Promise<void> {
  for (;;) {
    const { total } = await service.call<{ total: number }>('GET', `${at}/agent/runs?status=in_progress&limit=1`)
    const { items } = await service.call<{ items: { status_detail: string }[] }>('GET', `${at}/agent/runs?limit=20`)
    if (total === runs && items.every(({ status_detail }) => status_detail === 'working')) return
    await sleep(1_000)
  }
}

/** How long reads take, at a steady rate: the run, a page of its log, the newest runs. */
async function measure(service: Service, runId: number, { requests }: { requests: number }): Promise<number[]> {
  const routes = [`${at}/agent/run/${runId}`, `${at}/agent/run/${runId}/logs`, `${at}/agent/runs?limit=20`]
  const begunAt = performance.now()
  const asked: Promise<number>[] = []
  for (let n = 0; n < requests; n++) {
    await sleep(Math.max(0, begunAt + (n * 1_000) / rate - performance.now()))
    const askedAt = performance.now()
    asked.push(service.call('GET', routes[n % routes.length]!).then(() => performance.now() - askedAt))
  }
  return Promise.all(asked)
}

function watchConnections(url: string): { stop(): Promise<number> } {
  const stop = new AbortController()
  const count = async () => {
    const client = new pg.Client({ connectionString: url, application_name: 'watch' })
    await client.connect()
    let most = 0
    while (!stop.signal.aborted) {
      const { rows } = await client.query<{ n: number }>(
        `select count(*)::int as n from pg_stat_activity where backend_type = 'client backend' and application_name <> 'watch'`,
      )
      most = Math.max(most, rows[0]?.n ?? 0)
      await sleep(500)
    }
    await client.end()
    return most
  }
  const counting = count()
  return {
    stop: () => {
      stop.abort()
      return counting
    },
  }
}

const atPart = (ms: number[], part: number) =>
  Number((ms.toSorted((one, other) => one - other)[Math.floor((ms.length - 1) * part)] ?? 0).toFixed(1))
const at50 = (ms: number[]) => atPart(ms, 0.5)
const p99 = (ms: number[]) => atPart(ms, 0.99)

process.exitCode = (await main()) ? 0 : 1
process.exit()
