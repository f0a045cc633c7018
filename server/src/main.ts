import { randomBytes } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openApp, type App } from '#app.ts'
import { readConfig, type Config } from '#base/config.ts'
import { limits } from '#base/limits.ts'
import { repeat } from '#base/repeat.ts'
import { hasAdmin, startInstance } from '#domain/organizations/start-instance.ts'
import { RateLimiter } from '#domain/rate-limits/rate-limiter.ts'
import { findLostSecrets } from '#domain/secrets/find-lost-secrets.ts'
import { forgetSecrets } from '#domain/secrets/forget-secrets.ts'
import { renewDataKeys } from '#domain/secrets/renew-data-keys.ts'
import { newTokenText } from '#domain/tokens/token-text.ts'
import { describeUnserved, findUnserved } from '#domain/workers/find-unserved.ts'
import { openGitDoor } from '#git/open-git-door.ts'
import { openRunDoor } from '#git/open-run-door.ts'
import { openModelService } from '#proxy/model/serve-model.ts'
import { openProxy } from '#proxy/open-proxy.ts'
import { buildServer } from '#http/build-server.ts'
import { serveMetrics } from '#http/serve-metrics.ts'
import { cleanUp } from '#worker/clean-up.ts'
import { sweep } from '#worker/sweep.ts'
import { Worker } from '#worker/worker.ts'
import { version } from '#base/version.ts'

const roles = ['all', 'api', 'worker', 'migrate', 'doctor', 'forget-secrets'] as const
type Role = (typeof roles)[number]

const usage = `What to start: ${roles.join(', ')} (all when left out).
  all             API, git host and worker in one process
  api             API and git host
  worker          a worker
  migrate         brings the database to the newest schema and ends
  doctor          says what holds on this machine and ends
  forget-secrets  removes the secrets whose key is lost and ends`

/** Starts what is asked for. Whatever keeps it from starting is told in a sentence, without a stack trace. */
async function main(): Promise<void> {
  const role = (process.argv[2] ?? 'all') as Role
  if (!roles.includes(role)) return fail(`There is no "${role}" to start.\n${usage}`)
  try {
    // eslint-disable-next-line node/no-process-env -- handed to the one place that reads it
    const config = readConfig(process.env, { root: path.resolve(import.meta.dirname, '../..') })
    await run(role, config)
  } catch (error) {
    // A fault of ours shows its place; what the operator can mend does not need one.
    const isOurs = error instanceof TypeError || error instanceof ReferenceError
    fail(isOurs ? String(error.stack) : (error as Error).message)
  }
}

async function run(role: Role, config: Config): Promise<void> {
  for (const note of config.notes) process.stderr.write(`${note}\n`)
  const stack = new AsyncDisposableStack()
  // Who opens the door of git has the repositories behind it.
  const app = stack.use(await openApp(role === 'worker' ? config : { ...config, gitUrl: null }))
  if (role === 'migrate') return stack.disposeAsync()
  if (role === 'doctor') return doctor(app, stack)
  if (role === 'forget-secrets') return forgetLost(app, stack)
  const lostSecrets = await whyNoSecrets(app)
  if (lostSecrets) throw new Error(`The secrets cannot be read: ${lostSecrets}`)
  await renewDataKeys(app.pool, secretKeysOf(app))
  void whyNoBlobs(app).then((reason) => reason && app.logger.warn({ reason }, 'the store of files cannot be used'))
  if (role !== 'api') await requireSandbox(app)
  if (config.metrics) {
    const served = stack.use(await serveMetrics(app.telemetry.metrics, config.metrics))
    app.logger.info({ url: served.url }, 'metrics can be read')
  }
  const ending = new AbortController()
  if (role !== 'worker') await startApi(app, { stack, ending: ending.signal })
  const worker = role === 'api' ? undefined : await startWorker(app)
  process.stdout.write(`${readyLine(app, role)}\n`)
  const signal = await signalled()
  setTimeout(() => process.exit(1), config.drainSeconds * 1_000 + limits.drainMs).unref()
  ending.abort()
  // Runs are handed over at once; who sends requests is given the time to hear that it should go elsewhere.
  const isAsked = role !== 'worker' && signal === 'SIGTERM'
  await Promise.all([worker?.[Symbol.asyncDispose](), isAsked && sleep(config.drainSeconds * 1_000)])
  await stack.disposeAsync()
}

type StartApi = {
  stack: AsyncDisposableStack
  /** Aborted as soon as the process was told to end, some time before it stops to listen. */
  ending: AbortSignal
}

async function startApi(app: App, { stack, ending }: StartApi): Promise<void> {
  const made = await prepareAdmin(app)
  const rateLimiter = stack.use(new RateLimiter(app.pool, { quotas: app.config.rateLimits, logger: app.logger }))
  await rateLimiter.start()
  const problems = async () => (await findUnserved(app.pool)).map(describeUnserved)
  const server = await buildServer({ app, rateLimiter, gitDoor: openGitDoor(app), problems, ending })
  await server.listen({ port: app.config.port, host: app.config.host })
  stack.defer(() => server.close())
  stack.use(repeat(() => sweep(app), limits.sweepMs))
  stack.use(repeat(() => cleanUp(app, { except: [] }), limits.cleanMs))
  const address = server.server.address()
  if (!app.config.publicUrl && address && typeof address === 'object')
    app.publicUrl = `http://localhost:${address.port}`
  if (made) {
    process.stdout.write(`The first user's token, shown this once: ${made}\n`)
  }
}

/** The first user's token: the one that is given, or one that is made at the first start and answered to be shown. */
async function prepareAdmin(app: App): Promise<string | undefined> {
  const { pool, tokenKeys, config } = app
  if (config.adminToken) {
    await startInstance(pool, tokenKeys, { adminToken: config.adminToken.reveal() })
    return undefined
  }
  if (await hasAdmin(pool)) return undefined
  const adminToken = newTokenText()
  const { made } = await startInstance(pool, tokenKeys, { adminToken })
  return made ? adminToken : undefined
}

async function startWorker(app: App): Promise<Worker> {
  const name = `${os.hostname()}-${process.pid}-${randomBytes(2).toString('hex')}`
  app.openDoor = openProxy(app, {
    services: { '/git/': openRunDoor(app), '/model/': openModelService(app) },
  })
  const { workerSlots: slots, workerLabels: labels } = app.config
  const worker = new Worker(app, { name, slots, labels, version })
  await worker.start()
  return worker
}

async function requireSandbox(app: App): Promise<void> {
  const { isolated, problems } = await app.sandboxes.probe()
  if (isolated) return
  if (!app.config.unsafeSandbox) {
    throw new Error(
      `Agents cannot be kept in a sandbox on this machine:\n${problems.map((problem) => `  ${problem}`).join('\n')}\nMend that, or set RUNWRIGHT_UNSAFE_SANDBOX=1 to run agents without any isolation (only where you trust every prompt and repository).`,
    )
  }
  process.stderr.write('RUNWRIGHT_UNSAFE_SANDBOX=1: agents run on this machine without isolation.\n')
}

function readyLine(app: App, role: Role): string {
  const parts = { all: 'API, git host and worker', api: 'API and git host', worker: 'worker' }[
    role as 'all' | 'api' | 'worker'
  ]
  const model = app.engines.get('builtin')?.availability().available
    ? 'runs use the built-in agent'
    : 'no model is configured, so runs use the repair engine'
  return `Runwright ${version} is ready: ${parts} at ${app.publicUrl}, data in ${app.config.dataDir}, ${model}.`
}

async function doctor(app: App, stack: AsyncDisposableStack): Promise<void> {
  const sandbox = await app.sandboxes.probe()
  const blobs = await whyNoBlobs(app)
  const secrets = await whyNoSecrets(app)
  const engines = [...app.engines].map(([name, engine]) => ({ name, ...engine.availability() }))
  const lines = [
    `Runwright ${version}, Node ${process.version}, ${os.type()} ${os.release()}`,
    `Data: ${app.config.dataDir}`,
    `Store of files: ${blobs ?? 'can be used'}`,
    `Secrets: ${secrets ?? 'can be read'}`,
    `Sandbox (${app.sandboxes.name}): ${sandbox.isolated ? 'isolated' : 'NOT isolated'}; its limits are held`,
    ...Object.entries(sandbox.enforcement).map(([limit, how]) => `  ${limit}: ${how}`),
    ...sandbox.problems.map((problem) => `  problem: ${problem}`),
    ...sandbox.notes.map((note) => `  note: ${note}`),
    ...engines.map(({ name, available, reason }) => `Engine ${name}: ${available ? 'available' : reason}`),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  await stack.disposeAsync()
  if (!sandbox.isolated || blobs || secrets) process.exitCode = 1
}

/** Why the organizations' secrets cannot be read; undefined when they can. */
async function whyNoSecrets(app: App): Promise<string | undefined> {
  const lost = await findLostSecrets(app.pool, secretKeysOf(app))
  if (!lost.length) return undefined
  return `those of ${countOf(lost)} were sealed with another secret key. Give RUNWRIGHT_SECRET_KEY (or the file secret-key in the data folder) as it was; if it was changed on purpose, give the one before as RUNWRIGHT_SECRET_KEY_PREVIOUS. If that is lost, "npm start -- forget-secrets" removes what cannot be read any more.`
}

const countOf = ({ length }: number[]) => (length === 1 ? 'one organization' : `${length} organizations`)
const secretKeysOf = ({ secretBox: box, previousSecretBox: previous }: App) => ({ box, previous })

async function forgetLost(app: App, stack: AsyncDisposableStack): Promise<void> {
  const lost = await findLostSecrets(app.pool, secretKeysOf(app))
  await forgetSecrets(app.pool, { organizationIds: lost })
  process.stdout.write(
    lost.length ? `The secrets of ${countOf(lost)} were removed.\n` : 'All secrets can be read: nothing was removed.\n',
  )
  await stack.disposeAsync()
}

/** Why the store of artifacts and checkpoints cannot be used now; undefined when it can. */
function whyNoBlobs({ blobs }: App): Promise<string | undefined> {
  return blobs.probe().then(
    () => undefined,
    (error: Error) => error.message,
  )
}

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process at once. */
function signalled(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isFirst = true
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (!isFirst) process.exit(1)
        isFirst = false
        resolve(signal)
      })
    }
  })
}

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}

await main()
// Whatever is still open has been given its time.
process.exit()
