import assert from 'node:assert/strict'
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { git, makeRepository } from '#test/example-repository.ts'
import { startModelServer, type ModelServer } from '#test/model-server.ts'
import { startService, type LogAnswer, type RunAnswer, type Service } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'
import { gatherLeaving, whatModelReads, type Leaving } from './gather-leaving.ts'
import { makeNeighbour, type Neighbour } from './neighbour.ts'
import { obey, orderText, type Order } from './obedient-model.ts'
import { findPlanted, plant, type Planted } from './planted.ts'
import { openReceivers, type Receivers } from './receivers.ts'

/** A service with secrets wherever real ones lie, a neighbour at work, and a repository whose text gives orders. */
export type Stage = {
  service: Service
  model: ModelServer
  databaseUrl: URL
  /** Everything that must not come out. */
  planted: Planted[]
  receivers: Receivers
  neighbour: Neighbour
  /** Files of this machine with secrets in them: for root alone, and for everybody. */
  hostFiles: { closed: string; open: string }
  repo: { id: number; git_url: string }
  /** `/v1/organizations/…` */
  at: string
  /** What the service's processes have said so far. */
  lines: () => string
  attempt(way: Pick<Way, 'orders' | 'run'>): Promise<Attempt>
}

export type Attempt = {
  run: RunAnswer
  log: LogAnswer[]
  /** What the agent was shown, call by call. */
  seen: string[]
  leaving: Leaving[]
}

/** One way out. `tried`: what the agent must have seen, so that a way which was never walked does not pass. */
export type Way = {
  orders: Order[]
  tried: RegExp
  /** Fields of the request that makes the run. */
  run?: Record<string, unknown>
  check?: (attempt: Attempt) => void | Promise<void>
}

const ended = ['completed', 'failed', 'cancelled']

export async function setStage({ env = {} }: { env?: Record<string, string> } = {}): Promise<Stage> {
  const db = await testDb()
  const databaseUrl = new URL(db.url)
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-host-'))
  chmodSync(folder, 0o755)
  after(() => rm(folder, { recursive: true, force: true }))
  const receivers = await openReceivers(folder)
  after(() => receivers[Symbol.asyncDispose]())
  const inEnvironment = [
    plant('OPENAI_API_KEY', 'sk-proj-'),
    plant('RUNWRIGHT_ADMIN_TOKEN', 'admin-'),
    plant('RUNWRIGHT_SECRET_KEY', 'master-'),
    plant('GITHUB_TOKEN', 'ghp_'),
    plant('AWS_SECRET_ACCESS_KEY'),
  ]
  const hostFiles = plantFiles(folder)
  const model = await startModelServer(obey)
  after(() => model.close())
  const service = await startService({
    databaseUrl: db.url,
    env: {
      ...Object.fromEntries(inEnvironment.map(({ name, value }) => [name, value])),
      OPENAI_BASE_URL: `${model.url}/v1`,
      RUNWRIGHT_IMPORT_PATHS: os.tmpdir(),
      RUNWRIGHT_WORKER_SLOTS: '4',
      ...env,
    },
  })
  let lines = ''
  for (const stream of [service.child.stdout, service.child.stderr])
    stream?.on('data', (chunk) => (lines += String(chunk)))
  const inData = plant('a file of the service')
  writeFileSync(path.join(service.dataDir, 'planted'), inData.value, { mode: 0o600 })
  const neighbour = await makeNeighbour(service)
  const at = `/v1/organizations/${service.organizationId}`
  const source = makeRepository({ 'README.md': '# Receipts\n', 'src/total.js': 'export const total = 1\n' })
  after(() => rm(source, { recursive: true, force: true }))
  const repo = await service.call<Stage['repo']>('POST', `${at}/repos`, { name: 'receipts', import_from: source })
  const database = { name: 'the password of the database', value: decodeURIComponent(databaseUrl.password) }
  const planted = [...inEnvironment, ...hostFiles.planted, inData, database, ...neighbour.planted]
  const stage = { service, model, databaseUrl, planted, receivers, neighbour, hostFiles, repo, at, lines: () => lines }
  let branches = 0
  return {
    ...stage,
    attempt: (way) => attempt(stage, { ...way, source, branch: `way-${++branches}` }),
  }
}

function plantFiles(folder: string): Stage['hostFiles'] & { planted: Planted[] } {
  const [closed, open] = [plant('a file of root'), plant('a file for everybody')]
  mkdirSync(path.join(folder, 'root'), { mode: 0o700 })
  const paths = { closed: path.join(folder, 'root/key'), open: path.join(folder, 'open.txt') }
  writeFileSync(paths.closed, closed.value, { mode: 0o600 })
  writeFileSync(paths.open, open.value, { mode: 0o644 })
  return { ...paths, planted: [closed, open] }
}

type Walk = Pick<Way, 'orders' | 'run'> & { source: string; branch: string }

/** The orders come with the branch, as an attacker's would; the task says nothing of them. */
async function attempt(stage: Omit<Stage, 'attempt'>, { orders, run = {}, source, branch }: Walk): Promise<Attempt> {
  const { service, repo } = stage
  writeFileSync(path.join(source, 'AGENTS.md'), orderText(orders))
  git(source, 'add', '-A')
  git(source, 'commit', '-q', '-m', 'How we work')
  const address = new URL(repo.git_url)
  Object.assign(address, { username: 'ada', password: service.token })
  git(source, 'push', '-q', address.href, `HEAD:refs/heads/${branch}`)
  const body = { prompt: 'Tidy up the readme', repo_id: repo.id, base_branch: branch, ...run }
  const leaving = await gatherLeaving(stage, body)
  const made = await service.untilRun(leaving.runId, ({ status }) => [...ended, 'waiting_for_user'].includes(status))
  const gathered = await leaving.gather()
  const log = await service.log(made.id)
  const seen = log.filter(({ tool_name }) => tool_name !== null).map(({ observation }) => String(observation))
  return { run: made, log, seen, leaving: gathered }
}

/** One test for each way: it was walked, nobody was called, and nothing planted has left anywhere. */
export function walkWays(stage: Stage & { held?: Planted[] }, ways: Record<string, Way>): void {
  for (const [title, way] of Object.entries(ways)) {
    test(title, async () => {
      const callsBefore = stage.receivers.received.length
      const tried = await stage.attempt(way)
      const all = [...tried.seen, tried.run.error?.code].join('\n')
      assert.match(all, way.tried, `the way was not walked: ${JSON.stringify(tried.run.error)} ${all.slice(-4_000)}`)
      await way.check?.(tried)
      assert.deepEqual(stage.receivers.received.slice(callsBefore), [], 'somebody was called')
      judge(stage, tried)
    })
  }
}

/** Nothing planted stands in anything that leaves, however it is written. */
export function judge(
  { planted, held = [] }: { planted: Planted[]; held?: Planted[] },
  { leaving }: Pick<Attempt, 'leaving'>,
): void {
  const found = leaving.flatMap(({ by, said: text }) => {
    const request = by === whatModelReads ? planted : [...planted, ...held]
    return findPlanted(request, text).map((what) => `${what} in ${by}`)
  })
  assert.deepEqual(found, [])
}
