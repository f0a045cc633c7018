import { openApp, type App } from '#app/app.ts'
import type { Config } from '#base/config/config.ts'
import { forgetHostKey } from '#domain/repos/deploy-keys/forget-host-key.ts'
import { setKey } from '#domain/repos/secrets/claim-key.ts'
import { findLostSecrets } from '#domain/repos/secrets/find-lost-secrets.ts'
import { forgetSecrets } from '#domain/repos/secrets/forget-secrets.ts'
import { describeHosts } from './describe-hosts.ts'
import { describeProcess } from './describe-machine.ts'
import { describeSandbox } from './describe-sandbox.ts'
import { examine } from './examine.ts'
import { countOf } from './find-obstacles.ts'

export const chores = {
  /** Opening the app has brought the database to the newest schema. */
  migrate: async () => {},
  doctor: tellExamined,
  'forget-secrets': forgetLost,
} satisfies Record<string, (app: App) => Promise<void>>

/** Does one thing for the operator, and ends. */
export async function maintain(config: Config, chore: keyof typeof chores): Promise<void> {
  await using app = await openApp({ ...config, gitUrl: null }, { role: chore })
  await chores[chore](app)
}

async function tellExamined(app: App): Promise<void> {
  const found = await examine(app)
  const { sandbox } = found
  const lines = [
    ...describeProcess(app.config),
    ...found.machine,
    `Store of files: ${found.blobs}`,
    `Secrets: ${found.secrets}`,
    ...found.tokens,
    ...found.excessRights.map((excess) => `Database: ${excess}`),
    ...describeSandbox(sandbox.name, sandbox),
    ...found.ssh,
    ...found.engines.map(({ name, available, reason }) => `Engine ${name}: ${available ? 'available' : reason}`),
    ...(await describeHosts(app.pool, app.publicUrl)),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  if (found.hasProblems) process.exitCode = 1
}

async function forgetLost(app: App): Promise<void> {
  const lost = await findLostSecrets(app.pool, app.secretBox)
  await forgetSecrets(app.pool, { organizationIds: lost })
  const isHostKeyLost = await forgetHostKey(app.pool, app.secretBox)
  await setKey(app.pool, app.secretKeys.key)
  if (isHostKeyLost) process.stdout.write('The host key for SSH was removed. The next start makes another one.\n')
  process.stdout.write(
    lost.length
      ? `The secrets of ${countOf(lost)} were removed.\n`
      : 'All secrets are readable. Nothing was removed.\n',
  )
}
