// Runs that do nothing, a second: created over HTTP by 20 clients at once, until the last of them is completed.
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchQueue } from '../queue.ts'
import { startService } from '../start-service.ts'
import { controlFile } from '../install-controls.ts'
import { startLineProcess } from './line-process.ts'

const rounds = 5
const runs = 500
export const clients = 20
/** How many are worked at at once, on each side. */
export const slots = 10
/** Who each creates a run and waits for its end, again and again. */
export const joiners = 200

/** Does so many and answers how many a second. */
export type Side = (count: number) => Promise<number>

/** What each did in one round. An organization has one row in which its runs at work are counted, so one is not as many. */
export type Round = Record<'ours' | 'oursOfOne' | 'oursJoined' | 'pgBoss' | 'langGraph' | 'langGraphJoined', number>

export async function benchThroughput(options: BenchQueue): Promise<Round[]> {
  const ours = await startOurs(options)
  const langGraph = await startLangGraph(options)
  const sides: Record<keyof Round, Side> = {
    pgBoss: await startPgBoss(options),
    ours: ours.created(clients),
    langGraph: langGraph.created,
    oursOfOne: ours.created(1),
    oursJoined: ours.joined,
    langGraphJoined: langGraph.joined,
  }
  const done: Round[] = []
  // The first round is for plans and compilers to warm up.
  for (let n = -1; n < rounds; n++) {
    const round: Partial<Round> = {}
    for (const [name, side] of Object.entries(sides)) round[name as keyof Round] = await side(runs)
    if (n >= 0) done.push(round as Round)
  }
  return done
}

/** The clients' runs are of so many organizations. All slots may work for any one of them. */
async function startOurs({ pool, databaseUrl, defer }: BenchQueue) {
  const service = await startService({ databaseUrl, role: 'api', defer })
  await service.startWorker({ RUNWRIGHT_WORKER_SLOTS: String(slots) })
  const ids = [service.organizationId]
  while (ids.length < clients)
    ids.push((await service.call<{ id: number }>('POST', '/v1/organizations', { name: `Bench ${ids.length}` })).id)
  for (const id of ids) await service.call('PATCH', `/v1/organizations/${id}`, { limits: { max_running: slots } })
  const post = startClient(service.url, { authorization: `Bearer ${service.token}` })
  const run = { prompt: 'Count', agent_type: 'scripted', metadata: { script: [{ answer: 'ok' }] } }
  const completed = async () => {
    const count = `select count(*)::int as n from run_heads where status = 'completed'`
    return (await pool.query<{ n: number }>(count)).rows[0]!.n
  }
  const routeOf = (client: number) => `/v1/organizations/${ids[client % ids.length]}/agent/run`
  return {
    created:
      (organizations: number): Side =>
      async (count) => {
        const before = await completed()
        return measure(count, {
          clients,
          act: (client) => post(routeOf(client % organizations), run),
          completed: async () => (await completed()) - before,
        })
      },
    joined: ((count) =>
      measure(count, {
        clients: joiners,
        act: async (client) => {
          const route = routeOf(client)
          const { id } = await post<{ id: number }>(route, run)
          await follow(`${service.url}${route}/${id}/logs/stream`, service.token)
        },
      })) satisfies Side,
  }
}

/** Until the stream of a run's log ends, which is when its turn does. */
async function follow(url: string, token: string): Promise<void> {
  const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  if (!(await answer.text()).includes('event: end\n')) throw new Error(`${url}: ${answer.status}`)
}

export async function startPgBoss({ databaseUrl, defer }: BenchQueue): Promise<Side> {
  const program = controlFile('queue', 'pg-boss.mjs')
  const child = startLineProcess({ program, given: [databaseUrl, String(slots)], defer })
  await child.read()
  return async (jobs) => {
    child.write(JSON.stringify({ jobs, clients }))
    return (JSON.parse(await child.read()) as { perSecond: number }).perSecond
  }
}

async function startLangGraph({ defer }: BenchQueue) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-bench-'))
  defer(async () => rmSync(folder, { recursive: true }))
  const child = startLineProcess({
    program: controlFile('queue', 'langgraph.mjs'),
    given: [folder, String(slots)],
    defer,
  })
  const line = await child.read((output) => output.startsWith('at '))
  void child.read(() => false).catch(() => {})
  const post = startClient(line.slice('at '.length), {})
  const run = { assistant_id: 'no_op', input: { messages: [] }, if_not_exists: 'create' }
  // What earlier rounds left would slow it.
  const forget = () => post('/internal/truncate', { runs: true, threads: true, checkpointer: true })
  return {
    created: (async (count) => {
      await forget()
      return measure(count, {
        clients,
        act: () => post(`/threads/${randomUUID()}/runs`, run),
        completed: () => post<number>('/threads/count', { status: 'idle' }),
      })
    }) satisfies Side,
    joined: (async (count) => {
      await forget()
      return measure(count, { clients: joiners, act: () => post(`/threads/${randomUUID()}/runs/wait`, run) })
    }) satisfies Side,
  }
}

type Measure = {
  clients: number
  act: (client: number) => Promise<unknown>
  /** Of runs that nobody has waited for. */
  completed?: () => Promise<number>
}

export async function measure(count: number, { clients, act, completed }: Measure): Promise<number> {
  const begun = performance.now()
  let begunCount = 0
  const work = async (client: number) => {
    while (begunCount++ < count) await act(client)
  }
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
  if (completed) await until(async () => (await completed()) >= count)
  return (count / (performance.now() - begun)) * 1000
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await sleep(10)
}

type Post = <T>(route: string, body: object) => Promise<T>

/** As many connections as there are clients, which stay open. */
function startClient(url: string, options: Record<string, string>): Post {
  const agent = new http.Agent({ keepAlive: true, maxSockets: joiners })
  const headers = { ...options, 'content-type': 'application/json' }
  return (route, body) =>
    new Promise((resolve, reject) => {
      const request = http.request(url + route, { method: 'POST', agent, headers }, (answer) => {
        let text = ''
        answer.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        answer.on('end', () =>
          answer.statusCode === 200 ? resolve(JSON.parse(text)) : reject(new Error(`${answer.statusCode} ${text}`)),
        )
      })
      request.on('error', reject).end(JSON.stringify(body))
    })
}
