import assert from 'node:assert/strict'
import os from 'node:os'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { listProcesses } from '#test/list-processes.ts'
import { one, rows } from '#db/pool.ts'
import { makeRepository } from '#test/example-repository.ts'
import { startModelServer } from '#test/model-server.ts'
import { startNameServer } from '#test/name-server.ts'
import { startService, type RunAnswer, type Service } from '#test/service.ts'
import type { Attack } from './attacks.ts'

/** Requests of the neighbor are begun this often, whether or not those before are answered. */
const readEveryMs = 25
/** A stall: each attack here once took many times as long. How much less it is on a quiet machine, the bench says. */
const stallMs = 2_000

/** What whoever attacks has at hand. */
export type Hostile = {
  /** Sends a request as a member of that organization; whatever it is answered. */
  ask: (method: string, route: string, body?: unknown) => Promise<unknown>
  /** Does what an attack's run does, to its end. */
  finish: (attack: Attack) => Promise<void>
  addRepository: (importFrom: string) => Promise<unknown>
  openIssue: () => Promise<void>
  /** The run that was finished last, and the repository that was made last. */
  finished: number
  repo: number
}

export type Neighborhood = {
  service: Service
  /** Lets it happen while another organization works and reads, and answers how that was. */
  live: (attack: Attack) => Promise<Life>
  /** What the other organization sees beside one that does nothing unusual. */
  control: () => Promise<Life>
}

export type Life = {
  /** How long each read took, in milliseconds. */
  times: number[]
  reads: number
  p50: number
  p99: number
  max: number
  run: RunAnswer
  lost: number
  parts: number[]
}

export type OpenNeighborhood = {
  db: pg.Pool & { url: string }
  /** Besides its own settings. */
  env?: Record<string, string>
  /** Told what to do at the end; the test runner when left out. */
  defer?: (cleanUp: () => Promise<void>) => void
}

/** One service, as `npm start` starts it, with an organization that attacks and one that works beside it. */
export async function openNeighborhood({ db, env = {}, defer = after }: OpenNeighborhood): Promise<Neighborhood> {
  const model = await startModelServer(() => ({ text: 'I am done.' }))
  defer(() => model.close())
  const names = await startNameServer(() => 'silent', { defer: (cleanUp) => defer(async () => cleanUp()) })
  const service = await startService({
    databaseUrl: db.url,
    defer,
    env: {
      RUNWRIGHT_IMPORT_PATHS: os.tmpdir(),
      RUNWRIGHT_WORKER_SLOTS: '4',
      RUNWRIGHT_SANDBOX_DISK_MIB: '400',
      RUNWRIGHT_LOG_LEVEL: 'warn',
      RUNWRIGHT_NAME_SERVERS: names.address,
      OPENAI_BASE_URL: `${model.url}/v1`,
      OPENAI_API_KEY: 'a-key-of-nobody',
      ...env,
    },
  })
  const make = async (name: string) => (await service.call<{ id: number }>('POST', '/v1/organizations', { name })).id
  const [attacking, working] = [await make('Attacking'), await make('Working')]
  const ask = (method: string, route: string, body?: unknown) =>
    service.ask(method, `/v1/organizations/${attacking}${route}`, body).then(
      (answer) => answer.text(),
      () => {},
    )
  const hostile: Hostile = {
    ask,
    finish: async (attack) => {
      hostile.finished = (await begin(attack))!
      await service.untilEnded(hostile.finished, 60_000, attacking)
    },
    addRepository: (importFrom) => addRepo(importFrom),
    openIssue: async () => {
      await addRepo(makeRepository({ 'a.txt': 'a\n' }))
      await ask('POST', `/repos/${hostile.repo}/issues`, { title: 'One', body: 'One' })
    },
    finished: 0,
    repo: 0,
  }

  async function begin(attack: Attack): Promise<number | undefined> {
    if (!attack.commands && !attack.agentType) return undefined
    const repo = attack.repository && (await addRepo(attack.repository()))
    const script = (attack.commands ?? []).map((shell) => ({ shell }))
    const { id } = await service.call<{ id: number }>('POST', `/v1/organizations/${attacking}/agent/run`, {
      prompt: 'Go',
      agent_type: attack.agentType ?? 'scripted',
      ...(repo && { repo_id: repo }),
      ...(!attack.agentType && { metadata: { script: [...script, { answer: 'Done.' }] } }),
    })
    return id
  }
  const addRepo = async (importFrom: string) => {
    const name = `r${Math.random().toString(36).slice(2)}`
    const path = `/v1/organizations/${attacking}/repos`
    hostile.repo = (await service.call<{ id: number }>('POST', path, { name, import_from: importFrom })).id
    return hostile.repo
  }

  /** Some attacks start runs of their own, and the next one is to find none of them waiting. */
  async function endAll(): Promise<void> {
    const left = await rows<{ id: number }>(
      db,
      `select run_id as id from run_heads where organization_id = $1 and status not in ('completed', 'failed', 'cancelled')`,
      [attacking],
    )
    await Promise.all(left.map(({ id }) => ask('POST', `/agent/run/${id}/cancel`)))
    for (const { id } of left) await service.untilEnded(id, 120_000, attacking)
  }

  async function live(attack: Attack): Promise<Life> {
    const before = partsOf(service.child.pid!)
    await attack.prepare?.(hostile)
    const id = await begin(attack)
    // Its first command, or its end: then it is at work.
    if (id) await service.untilRun(id, ({ status }) => status !== 'queued', 60_000, attacking)
    const over = new AbortController()
    const sending = attack.send && repeatUntil(over.signal, () => attack.send!(hostile))
    const at = `/v1/organizations/${working}/agent/run`
    const script = [{ shell: 'echo {n}; sleep 0.1', repeat: 25 }, { answer: 'Right.' }]
    const { id: own } = await service.call<{ id: number }>('POST', at, {
      prompt: 'Work',
      agent_type: 'scripted',
      metadata: { script },
    })
    const reading = readUntil(over.signal, () => service.ask('GET', `/v1/organizations/${working}/agent/runs`))
    const run = await service.untilEnded(own, 120_000, working)
    over.abort()
    const times = await reading
    await sending
    await endAll()
    const { lost } = await one<{ lost: number }>(db, 'select count(*)::int as lost from lost_workers')
    assert.deepEqual(partsOf(service.child.pid!), before, `a process of the service ended:\n${service.said()}`)
    return { times, ...describe(times), run, lost, parts: before }
  }

  return { service, live, control: () => live({ commands: ['sleep 4'] }) }
}

export function requireUnharmed(life: Life, control: Life, text: string): void {
  assert.deepEqual([life.run.status, life.run.result], ['completed', 'Right.'], JSON.stringify(life.run.error) + text)
  assert.equal(life.lost, 0, `a lease was lost:\n${text}`)
  const bound = Math.max(2 * control.p99, stallMs)
  assert.ok(life.p99 <= bound, `reads took ${life.p99} ms at p99, and ${control.p99} ms without the neighbor`)
}

/** The processes of the service by their numbers: one that was started again has another. */
const partsOf = (supervisor: number) =>
  listProcesses()
    .filter(({ parent, words }) => parent === supervisor && words.includes('supervised'))
    .map(({ pid }) => pid)

async function repeatUntil(signal: AbortSignal, act: () => Promise<unknown>): Promise<void> {
  while (!signal.aborted) {
    await act()
    await sleep(50)
  }
}

/** How long each answer took. One that is late keeps no other from being asked for. */
async function readUntil(signal: AbortSignal, read: () => Promise<Response>): Promise<number[]> {
  const times: number[] = []
  const reading: Promise<void>[] = []
  while (!signal.aborted) {
    const begunAt = performance.now()
    const one = read().then(async (answer) => {
      assert.equal(answer.status, 200)
      await answer.arrayBuffer()
      times.push(performance.now() - begunAt)
    })
    one.catch(() => {})
    reading.push(one)
    await sleep(readEveryMs)
  }
  await Promise.all(reading)
  return times
}

export function describe(times: number[]): Pick<Life, 'reads' | 'p50' | 'p99' | 'max'> {
  const sorted = times.toSorted((one, other) => one - other)
  const at = (share: number) => Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return { reads: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}
