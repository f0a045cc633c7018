import { Dialer } from '#adapters/codehosts/dial-out.ts'
import { openMcp } from '#adapters/mcp/open-mcp.ts'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { openFileBlobs } from '#adapters/blobs/file.ts'
import { readWebhook } from '#adapters/codehosts/github/read-webhook.ts'
import { unwrapWebhook } from '#adapters/codehosts/github/unwrap-webhook.ts'
import { verifyWebhook } from '#adapters/codehosts/github/verify-webhook.ts'
import { claudeCode } from '#adapters/engines/acp/agents/claude-code.ts'
import { openAcp } from '#adapters/engines/acp/open-acp.ts'
import { openBuiltin } from '#adapters/engines/builtin/builtin.ts'
import { openModelList } from '#adapters/engines/builtin/open-model-list.ts'
import type { Engine } from '#adapters/engines/engine.ts'
import { openRepair } from '#adapters/engines/repair/repair.ts'
import { openScripted } from '#adapters/engines/scripted/scripted.ts'
import { systemClock, type Clock } from '#base/clock.ts'
import { readConfig } from '#base/config/config.ts'
import { openLogger } from '#base/logger.ts'
import { openMetrics } from '#base/telemetry/metrics.ts'
import { policies } from '#base/rate-limits.ts'
import { Telemetry } from '#base/telemetry/telemetry.ts'
import { openTraces } from '#base/telemetry/traces.ts'
import { Names } from '#base/network/names.ts'
import { Subscriptions } from '#domain/runs/subscriptions/subscriptions.ts'
import { openNotifier } from '#domain/runs/logs/notifier.ts'
import { watchOverview } from '#domain/runs/overview/watch-overview.ts'
import { RunRedactors } from '#domain/runs/redaction/run-redactors.ts'
import { RateLimiter } from '#domain/accounts/rate-limits/rate-limiter.ts'
import { startInstance } from '#domain/accounts/instance/start-instance.ts'
import { openHosts } from '#app/open-hosts.ts'
import { openRemoteHosts } from '#app/open-remote-hosts.ts'
import { openGitGateway } from '#git/open-git-gateway.ts'
import { buildServer } from '#http/build-server.ts'
import type { HttpApp } from '#http/pipeline/deps.ts'
import { findPort } from '#process/find-port.ts'
import { makeOrganization, makeSecretBox, makeToken, makeTokenKeys, makeUser } from './make.ts'
import { testDb } from './test-db.ts'
import type { Role } from '#domain/accounts/users/roles.ts'

export type Answer = { status: number; headers: Headers; text: string; body: Record<string, unknown> }
export type Ask = { method?: string; token?: string; body?: unknown; headers?: Record<string, string> }

/** The API server over a real database and a real code host, listening on loopback, without a worker. */
export type TestApp = {
  app: HttpApp
  rateLimiter: RateLimiter
  url: string
  adminToken: string
  /** Sends a request; a body that is no text goes as JSON. */
  ask: (path: string, request?: Ask) => Promise<Answer>
  /** The same where people reach it at this address. */
  reachedAt: (publicUrl: string) => Promise<Pick<TestApp, 'ask' | 'url'>>
  /** An organization with one member of this role, and the member's token. */
  member: (role?: Role) => Promise<{ organizationId: number; userId: number; token: string; path: string }>
}

/** No token is limited. */
export const unlimited = policies.map((policy) => `${policy}=0`).join(',')

export type GivenApp = {
  /** What `/statusz` is told. */
  problems?: () => Promise<string[]>
  /** As `RUNWRIGHT_RATE_LIMITS`; none when left out. */
  rateLimits?: string
  streamCommentMs?: number
  /** Settings besides. */
  env?: Record<string, string>
  clock?: Clock
}

/** Call once at the top of a file. */
export async function testApp({
  rateLimits = unlimited,
  env = {},
  clock,
  ...options
}: GivenApp = {}): Promise<TestApp> {
  const adminToken = 'the operator says the magic words'
  const port = await findPort('127.0.0.1')
  const url = `http://127.0.0.1:${port}`
  const settings = { RUNWRIGHT_WRONG_TOKENS: '0', ...env, RUNWRIGHT_RATE_LIMITS: rateLimits }
  const app = await makeApp(settings, { publicUrl: url, clock: clock ?? systemClock })
  await startInstance(app.pool, app.tokenKeys, { adminToken })
  const rateLimiter = new RateLimiter(app.pool, { quotas: app.config.rateLimits, logger: app.logger })
  await rateLimiter.start()
  after(() => rateLimiter[Symbol.asyncDispose]())
  const serve = async (app: HttpApp, port: number) => {
    const server = await buildServer({ app, rateLimiter, gitGateway: openGitGateway(app), ...options })
    after(() => server.close())
    return server.listen({ port, host: '127.0.0.1' })
  }
  await serve(app, port)
  return {
    app,
    rateLimiter,
    url,
    adminToken,
    ask: askAt(url),
    reachedAt: async (publicUrl) => {
      const url = await serve({ ...app, publicUrl }, 0)
      return { url, ask: askAt(url) }
    },
    member: (role) => makeMember(app, role),
  }
}

type MakeApp = Pick<HttpApp, 'publicUrl' | 'clock'>

async function makeApp(env: Record<string, string>, { publicUrl, clock }: MakeApp): Promise<HttpApp> {
  const pool = await testDb()
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-http-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const config = readConfig({ RUNWRIGHT_DATA_DIR: folder, RUNWRIGHT_IMPORT_PATHS: folder, ...env }, { root: folder })
  const telemetry = await makeTelemetry()
  const blobs = openFileBlobs({ folder: path.join(folder, 'blobs') })
  const tokenKeys = makeTokenKeys({ clock: systemClock })
  const { lookup } = new Names({ servers: config.nameServers })
  const secretBox = makeSecretBox()
  const remoteHosts = openRemoteHosts({ pool, clock, secretBox, privateHosts: config.privateHosts, lookup })
  const dialer = new Dialer({ privateHosts: config.privateHosts, lookup })
  const notifier = openNotifier(pool.url)
  after(() => notifier[Symbol.asyncDispose]())
  return {
    config,
    publicUrl,
    sshUrl: null,
    logger: openLogger({ level: 'silent' }),
    clock,
    pool,
    tokenKeys,
    secretBox: makeSecretBox(),
    redactors: new RunRedactors({ db: pool, secretBox: makeSecretBox(), own: [], canaryKeys: [] }),
    hosts: openHosts(config, { pool, remoteHosts, lookup, tokenKeys, publicUrl, blobs, clock }),
    remoteHosts,
    engines: makeEngines(),
    connectMcp: openMcp((request) => dialer.send(request)),
    sendToModel: (request) => dialer.send(request),
    webhooks: { github: { verify: verifyWebhook, unwrap: unwrapWebhook, read: readWebhook } },
    identityProvider:
      config.openId && (await import('#adapters/identities/open-id.ts')).openOpenId(config.openId, clock),
    listModels: openModelList({ ...config.model, send: (request) => dialer.send(request) }),
    telemetry,
    watchOverview: watchOverview(pool),
    blobs,
    notifier,
    // Closed by its server.
    subscriptions: new Subscriptions({ pool, databaseUrl: pool.url, blobs, chores: telemetry.chores }),
  }
}

/** Told of nothing, and sent nowhere. */
async function makeTelemetry(): Promise<HttpApp['telemetry']> {
  const logger = openLogger({ level: 'silent' })
  return new Telemetry({ logger, metrics: openMetrics(), traces: await openTraces(null, logger) })
}

function makeEngines(): Map<string, Engine> {
  const claude_code = openAcp(claudeCode, { folder: '/nonexistent', models: {} })
  const engines = {
    builtin: openBuiltin({}),
    claude_code,
    repair: openRepair(),
    scripted: openScripted({ enabled: true }),
  }
  return new Map(Object.entries(engines))
}

const askAt =
  (url: string): TestApp['ask'] =>
  (route, request) =>
    ask(url + route, request)

async function ask(url: string, { method = 'GET', token, body, headers = {} }: Ask = {}): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') && text
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} }
}

async function makeMember(app: HttpApp, role: Role = 'ADMIN'): ReturnType<TestApp['member']> {
  const { id: organizationId } = await makeOrganization(app.pool)
  const { id: userId } = await makeUser(app.pool, { organizationId, role })
  const token = await makeToken(app.pool, app.tokenKeys, { organizationId, userId })
  return { organizationId, userId, token, path: `/v1/organizations/${organizationId}` }
}
