import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import type { Listen } from '#base/network/network-address.ts'
import { repeat } from '#base/concurrency/repeat.ts'
import { hasAdmin, startInstance } from '#domain/accounts/instance/start-instance.ts'
import { RateLimiter } from '#domain/accounts/rate-limits/rate-limiter.ts'
import { newTokenText } from '#domain/accounts/tokens/token-text.ts'
import { describeUnserved, findUnserved } from '#domain/runs/workers/find-unserved.ts'
import { openGitGateway } from '#git/open-git-gateway.ts'
import { buildServer } from '#http/build-server.ts'
import { openCleanUp } from '#worker/upkeep/clean-up.ts'
import { lead } from '#worker/upkeep/lead.ts'
import { describeListenError, describeSshError } from './describe-listen-error.ts'

type StartApi = {
  stack: AsyncDisposableStack
  /** Aborted as soon as the process was told to end, some time before it stops to listen. */
  ending: AbortSignal
}

/** The API and the git host. */
export async function startApi(app: App, { stack, ending }: StartApi): Promise<void> {
  const made = await prepareAdmin(app)
  const rateLimiter = stack.use(new RateLimiter(app.pool, { quotas: app.config.rateLimits, logger: app.logger }))
  await rateLimiter.start()
  const problems = async () => (await findUnserved(app.pool)).map(describeUnserved)
  const server = await buildServer({ app, rateLimiter, gitGateway: openGitGateway(app), problems, ending })
  const { port, host } = app.config
  await server.listen({ port, host }).catch(async (error: unknown) => {
    throw await describeListenError(error, { port, host })
  })
  const ssh = app.config.ssh && (await startSsh(app, app.config.ssh))
  stack.defer(async () => void (await Promise.all([server.close(), ssh?.[Symbol.asyncDispose]()])))
  stack.use(lead(app))
  const cleanUp = openCleanUp(app)
  stack.use(repeat(() => cleanUp({ except: [] }), limits.cleanMs))
  if (made) process.stdout.write(framed(`The first user's token, shown this once: ${made}`))
}

/** Where it is turned on; what it needs is loaded then. */
async function startSsh(app: App, listen: Listen): Promise<AsyncDisposable> {
  const { openSsh } = await import('#git/ssh/open-ssh.ts')
  const ssh = await openSsh(app, listen).catch((error: unknown) => {
    throw describeSshError(error, listen)
  })
  const { fingerprint: hostKey } = ssh
  app.logger.info({ event: 'ssh_ready', url: app.sshUrl, hostKey }, 'repositories are served over SSH')
  return ssh
}

/** The first user's token: the one that is given, or one that is made at the first start and answered to be shown. */
async function prepareAdmin({ pool, tokenKeys, config }: Pick<App, 'pool' | 'tokenKeys' | 'config'>) {
  if (config.adminToken) {
    await startInstance(pool, tokenKeys, { adminToken: config.adminToken.reveal() })
    return undefined
  }
  if (await hasAdmin(pool)) return undefined
  const adminToken = newTokenText()
  const { made } = await startInstance(pool, tokenKeys, { adminToken })
  return made ? adminToken : undefined
}

/** What must not be lost among the lines of a log. */
function framed(line: string): string {
  const rule = '─'.repeat(Math.min(line.length, 120))
  const [begin, end] = process.stdout.isTTY ? ['\u001b[1m', '\u001b[0m'] : ['', '']
  return `\n${rule}\n${begin}${line}${end}\n${rule}\n\n`
}
