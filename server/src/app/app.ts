import { chownSync, mkdirSync } from 'node:fs'
import path from 'node:path'
import { destination } from 'pino'
import type pg from 'pg'
import type { BlobStore } from '#adapters/blobs/blob-store.ts'
import { reachGit } from '#adapters/codehosts/local/reach-git.ts'
import { readWebhook } from '#adapters/codehosts/github/read-webhook.ts'
import { unwrapWebhook } from '#adapters/codehosts/github/unwrap-webhook.ts'
import { verifyWebhook } from '#adapters/codehosts/github/verify-webhook.ts'
import type { WebhookReader } from '#adapters/codehosts/webhook.ts'
import { agentSpecs } from '#adapters/engines/acp/agents/agent-specs.ts'
import type { OwnAgent } from '#adapters/engines/acp/agents/read-own-agents.ts'
import { openAcp, openOwnAcp } from '#adapters/engines/acp/open-acp.ts'
import { openBuiltin } from '#adapters/engines/builtin/builtin.ts'
import { systemClockAndChance } from '#adapters/engines/builtin/clock-and-chance.ts'
import { openModelList, type ModelList } from '#adapters/engines/builtin/open-model-list.ts'
import type { Engine } from '#adapters/engines/engine.ts'
import { openRepair } from '#adapters/engines/repair/repair.ts'
import { openScripted } from '#adapters/engines/scripted/scripted.ts'
import { openExplain } from '#adapters/engines/explain/explain.ts'
import { openSetup } from '#adapters/engines/setup/setup.ts'
import type { IdentityProvider } from '#adapters/identities/identity-provider.ts'
import { countSandboxes } from '#adapters/sandboxes/counted.ts'
import type { RemoteProvider } from '#adapters/sandboxes/remote/remote.ts'
import type { SandboxNetwork, SandboxProvider } from '#adapters/sandboxes/sandbox.ts'
import { systemClock, type Clock } from '#base/clock.ts'
import type { Config } from '#base/config/config.ts'
import { armCrash } from '#base/crash-points.ts'
import { limits } from '#base/limits.ts'
import { openLogger, type Logger } from '#base/logger.ts'
import type { Mask } from '#base/redaction/redactor.ts'
import { readMachineId } from '#base/machine-id.ts'
import { SecretBox } from '#base/secrets/secret-box.ts'
import { acceptedKeys, openSecretKeys, type SecretKeys } from '#base/secrets/secret-key.ts'
import { openMetrics } from '#base/telemetry/metrics.ts'
import { dialByNames } from '#base/network/dial-by-names.ts'
import { Names } from '#base/network/names.ts'
import { Telemetry } from '#base/telemetry/telemetry.ts'
import { openTraces } from '#base/telemetry/traces.ts'
import { openTemporaryFolder } from '#base/temporary-folder.ts'
import type { EmbeddedPostgres } from '#db/embedded.ts'
import { findExcessRights } from '#db/find-excess-rights.ts'
import { logConnections } from '#db/log-connections.ts'
import { migrate } from '#db/migrate.ts'
import { openDatabaseClock, type DatabaseClock } from '#db/open-database-clock.ts'
import { openPool } from '#db/pool.ts'
import { requireSessions } from '#db/require-sessions.ts'
import { waitForDatabase } from '#db/wait-for-database.ts'
import type { IntegrationKind } from '#domain/hosts/integrations/integration.ts'
import { Subscriptions } from '#domain/runs/subscriptions/subscriptions.ts'
import { openNotifier, type Notifier } from '#domain/runs/logs/notifier.ts'
import { measureOverview } from '#domain/runs/overview/measure-overview.ts'
import { watchOverview, type WatchOverview } from '#domain/runs/overview/watch-overview.ts'
import { RunRedactors } from '#domain/runs/redaction/run-redactors.ts'
import { readExplainedLog } from '#domain/runs/sandbox-logs/read-explained-log.ts'
import type { ProxyHolder } from '#domain/runs/sandboxes/sandbox-holder.ts'
import { saveStorageLimits } from '#domain/accounts/storage/save-storage-limits.ts'
import { openTokenKeys, type TokenKeys } from '#domain/accounts/tokens/token-keys.ts'
import type { CodeHosts } from './code-hosts.ts'
import { Dialer, type SendChecked } from '#adapters/codehosts/dial-out.ts'
import type { ConnectMcp } from '#adapters/mcp/mcp.ts'
import { openMcp } from '#adapters/mcp/open-mcp.ts'
import { openBlobs } from './open-blobs.ts'
import { secretsOf } from './secrets-of.ts'
import { startDatabase } from './start-database.ts'
import { openHosts } from './open-hosts.ts'
import { openSandboxes, sandboxUid } from './open-sandboxes.ts'
import { openRemoteHosts, type RemoteHosts } from './open-remote-hosts.ts'

/** What programs in one sandbox reach, for as long as it is open. */
export type SandboxProxy = SandboxNetwork &
  AsyncDisposable & {
    /** With this they show at the proxy that they are inside; it is worth nothing elsewhere, and nothing afterwards. */
    token: string
    /** Resolves when a model was refused because the run's money is spent: it is to be paused. */
    spent: Promise<void>
  }

/** What all entry points share, built once from the settings and never changed. */
export type App = Readonly<{
  config: Config
  /** Where people reach the service; without a slash at the end. */
  publicUrl: string
  /** Where they reach its repositories over SSH; null: nowhere. */
  sshUrl: string | null
  logger: Logger
  /** The database's, as many processes share what is stored. */
  clock: Clock
  pool: pg.Pool
  databaseUrl: string
  tokenKeys: TokenKeys
  /** What all of this is derived from. */
  secretKeys: SecretKeys
  /** Seals the keys of organizations' secrets. */
  secretBox: SecretBox
  /** Takes the service's own secrets out; for who works at a run, the run's too. */
  mask: Mask
  redactors: RunRedactors
  hosts: CodeHosts
  /** The code hosts that organizations can connect; their repositories are reached by `hosts`. */
  remoteHosts: RemoteHosts
  /** How hosts are found by their names. */
  names: Pick<Names, 'lookup'>
  engines: Map<string, Engine>
  connectMcp: ConnectMcp
  /** Sends to model providers that organizations have added: to checked hosts alone. */
  sendToModel: SendChecked
  /** Says to other processes what this one has changed of runs. */
  notifier: Notifier
  /** What those see who follow runs. */
  subscriptions: Subscriptions
  sandboxes: SandboxProvider
  /** The machine of a remote worker, where they lie on one; null: on this machine. */
  remote: Pick<RemoteProvider, 'lookAtDisk'> | null
  /** The organization whose runs and checks alone are taken here; null: those of all. */
  serves: number | null
  /** Opens the proxy of a sandbox. Null: it reaches nothing, until an entry point makes an app of this one that has it. */
  openSandboxProxy: ((holder: ProxyHolder) => SandboxProxy) | null
  blobs: BlobStore
  /** How each kind of code host tells us what happens there. */
  webhooks: Readonly<Record<IntegrationKind, WebhookReader>>
  /** Who vouches for people that sign in without a token. Null: nobody. */
  identityProvider: IdentityProvider | null
  /** The operator's models, or those of one organization with what is its own. */
  listModels: ModelList
  telemetry: Telemetry
  /** How the whole service stands. */
  watchOverview: WatchOverview
  /** For files that live as long as one operation. */
  temporaryFolder: string
  /** Rejects where git cannot reach the repositories that lie on another machine; null where they lie on a disk of ours. */
  reachGit: (() => Promise<void>) | null
  /** Where the setups of repositories leave what later work trees start from; sandboxes may read it. */
  snapshotFolder: string
  /** Names the folder of this machine where sandboxes' files lie. */
  place: string
}>

/**
 * Builds the app: the one place that picks an implementation. Where people reach it has to be settled by then: the port is
 * listened on later. Rejects with what an operator can fix.
 */
export async function openApp(config: Config, { role }: { role?: string } = {}): Promise<App & AsyncDisposable> {
  const logger = openLogger({ level: config.logLevel, ...(role && { role }), destination: destination(2) })
  armCrash(config.crashAt)
  makeFolder(config.dataDir, 0o711)
  const temporaryFolder = openTemporaryFolder(makeFolder(path.join(config.dataDir, 'temporary'), 0o700))
  const { pool, databaseUrl, embedded } = await openDatabase(config, logger)
  const telemetry = new Telemetry({ logger, metrics: openMetrics(), traces: await openTraces(config.traces, logger) })
  const clock = await openDatabaseClock(pool)
  warnOfMachine(clock, logger)
  const keys = openKeys(config, clock)
  const { tokenKeys, secretBox, secretKeys } = keys
  const canaryKeys = config.canaries ? acceptedKeys(secretKeys).map((key) => key.derive('canaries')) : []
  const redactors = new RunRedactors({ db: pool, secretBox, own: secretsOf(config, databaseUrl), canaryKeys })
  const publicUrl = config.publicUrl ?? `http://localhost:${config.port}`
  const blobs = openBlobs(config, clock)
  const names = openNames(config)
  const { lookup } = names
  const remoteHosts = openRemoteHosts({ pool, clock, secretBox, privateHosts: config.privateHosts, lookup })
  const mcpDialer = new Dialer({ privateHosts: config.privateHosts, lookup })
  const modelDialer = new Dialer({ privateHosts: config.privateHosts, lookup })
  const sendToModel: SendChecked = (request) => modelDialer.send(request)
  const sandboxGroup = process.getuid?.() === 0 ? { gid: sandboxUid } : undefined
  const app: App = {
    config,
    publicUrl,
    sshUrl: sshUrlOf(config, publicUrl),
    logger,
    clock,
    pool,
    databaseUrl,
    ...keys,
    mask: redactors.own.mask,
    redactors,
    hosts: openHosts(config, {
      pool,
      remoteHosts,
      lookup,
      tokenKeys,
      publicUrl,
      blobs,
      clock,
      ...(sandboxGroup && { readableBy: sandboxGroup }),
    }),
    remoteHosts,
    names,
    engines: await openEngines(config, { pool, clock, sendToModel }),
    connectMcp: openMcp((request) => mcpDialer.send(request)),
    notifier: openNotifier(databaseUrl),
    subscriptions: new Subscriptions({ pool, databaseUrl, blobs, chores: telemetry.chores }),
    sandboxes: countSandboxes(openSandboxes(config, { logger, metrics: telemetry.metrics }), (change) =>
      telemetry.metrics.sandboxes.inc(change),
    ),
    remote: null,
    serves: null,
    openSandboxProxy: null,
    telemetry,
    watchOverview: watchOverview(pool),
    sendToModel,
    listModels: openModelList({ ...config.model, send: sendToModel }),
    blobs,
    webhooks: { github: { verify: verifyWebhook, unwrap: unwrapWebhook, read: readWebhook } },
    identityProvider: await openIdentityProvider(config, clock),
    temporaryFolder,
    reachGit: config.gitUrl === null ? null : () => reachGit(config.gitUrl ?? ''),
    snapshotFolder: makeFolder(path.join(config.dataDir, 'snapshots'), 0o750, sandboxGroup),
    place: readMachineId(config.dataDir),
  }
  measureApp(app)
  return { ...app, [Symbol.asyncDispose]: () => closeApp(app, { clock, embedded }) }
}

/** Log lines have the machine's time, and whoever reads those of several machines has to know. */
function warnOfMachine(clock: Clock, logger: Logger): void {
  const aheadMs = systemClock.now().getTime() - clock.now().getTime()
  if (Math.abs(aheadMs) < 60_000) return
  logger.warn({ event: 'clock_differs', aheadMs }, "this machine's clock differs from the database's, which counts")
}

/** As its settings say, or else the host that people know. */
export function sshUrlOf({ ssh, sshUrl }: Pick<Config, 'ssh' | 'sshUrl'>, publicUrl: string): string | null {
  if (sshUrl !== null || ssh === null) return sshUrl
  return `ssh://git@${new URL(publicUrl).hostname}${ssh.port === 22 ? '' : `:${ssh.port}`}`
}

type Opened = { clock: DatabaseClock; embedded: EmbeddedPostgres | undefined }

async function closeApp(app: App, { clock, embedded }: Opened): Promise<void> {
  const { telemetry, subscriptions, notifier, pool, sandboxes } = app
  clock[Symbol.dispose]()
  await sandboxes.close()
  await telemetry.traces[Symbol.asyncDispose]()
  await subscriptions[Symbol.asyncDispose]()
  await notifier[Symbol.asyncDispose]()
  await pool.end()
  await embedded?.stop()
}

function openKeys(config: Config, clock: Clock): Pick<App, 'secretKeys' | 'tokenKeys' | 'secretBox'> {
  const secretKeys = openSecretKeys(config)
  const { previous, next } = secretKeys
  const others = { previous: previous?.derive('secrets'), next: next?.derive('secrets') }
  return {
    secretKeys,
    tokenKeys: openTokenKeys(secretKeys, clock),
    secretBox: new SecretBox(secretKeys.key.derive('secrets'), others),
  }
}

/** The database as it is now needed. */
async function openDatabase(config: Config, logger: Logger) {
  const { databaseUrl, embedded } = await startDatabase(config, logger)
  const pool = openPool(databaseUrl, { connectionsMax: config.databaseConnections })
  await waitForDatabase(pool, {
    waitMs: limits.databaseStartMs,
    onWait: (reason) => logger.warn({ reason }, 'PostgreSQL cannot be reached yet; it is waited for'),
  })
  await requireSessions(pool)
  await migrate(pool)
  await saveStorageLimits(pool, config.storageBytes)
  for (const excess of await findExcessRights(pool))
    logger.warn({ event: 'database_rights', excess }, 'too many rights')
  logConnections(pool, logger)
  return { pool, databaseUrl, embedded }
}

/** From here on everything in this process finds hosts by them. */
function openNames({ nameServers }: Config): Names {
  const names = new Names({ servers: nameServers })
  dialByNames(names)
  return names
}

/** What is looked up when somebody reads the metrics. */
function measureApp({ telemetry: { metrics }, watchOverview, pool, subscriptions }: App): void {
  // Before the look at the service, which uses the pool too.
  metrics.beforeRead(() => {
    metrics.streamsOpen.set(subscriptions.readers)
    metrics.poolConnections.set({ state: 'used' }, pool.totalCount - pool.idleCount)
    metrics.poolConnections.set({ state: 'idle' }, pool.idleCount)
    metrics.poolConnections.set({ state: 'waiting' }, pool.waitingCount)
  })
  measureOverview(metrics, watchOverview)
}

/** `readableBy`: who else may read it, by group. */
function makeFolder(folder: string, mode: number, readableBy?: { gid: number }): string {
  mkdirSync(folder, { recursive: true, mode })
  if (readableBy) chownSync(folder, 0, readableBy.gid)
  return folder
}

/** Its library is loaded only where one is set. */
async function openIdentityProvider({ openId }: Config, clock: Clock): Promise<IdentityProvider | null> {
  if (!openId) return null
  const { openOpenId } = await import('#adapters/identities/open-id.ts')
  return openOpenId(openId, clock)
}

/** What checks the operator's file is loaded where there is one: that takes a twentieth of a start. */
async function readOwn(agentsFile: string | null): Promise<OwnAgent[]> {
  if (agentsFile === null) return []
  const { readOwnAgents } = await import('#adapters/engines/acp/agents/read-own-agents.ts')
  return readOwnAgents(agentsFile)
}

async function openEngines(
  config: Config,
  { pool, clock, sendToModel }: Pick<App, 'pool' | 'clock' | 'sendToModel'>,
): Promise<Map<string, Engine>> {
  const models = { ...config.model, send: sendToModel }
  const builtin = openBuiltin(models, { ...systemClockAndChance, clock })
  const repair = openRepair()
  const scripted = openScripted({ enabled: config.scripted })
  const agents = agentSpecs.map((spec) => {
    const folder = path.join(config.dataDir, 'engines', spec.name)
    const { npmEnvironment } = config.engines
    return [spec.name, openAcp(spec, { folder, models, npmEnvironment })] as const
  })
  const own = (await readOwn(config.engines.agentsFile)).map(
    ({ name, ...agent }) => [`acp:${name}`, openOwnAcp(agent, { models })] as const,
  )
  return new Map([
    ['builtin', builtin],
    ...agents,
    ...own,
    ['repair', repair],
    ['scripted', scripted],
    ['setup', openSetup({ builtin })],
    ['explain', openExplain({ readLog: (run) => readExplainedLog(pool, run) })],
  ])
}
