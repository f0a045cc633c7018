import os from 'node:os'
import { openApp, type App } from '#app/app.ts'
import type { Config } from '#base/config/config.ts'
import { version } from '#base/version.ts'
import { countStaleTokens } from '#domain/accounts/tokens/count-stale-tokens.ts'
import { forgetHostKey } from '#domain/repos/deploy-keys/forget-host-key.ts'
import { readHostKey } from '#domain/repos/deploy-keys/host-key.ts'
import { setKey } from '#domain/repos/secrets/claim-key.ts'
import { findExcessRights } from '#db/find-excess-rights.ts'
import { findLostSecrets } from '#domain/repos/secrets/find-lost-secrets.ts'
import { forgetSecrets } from '#domain/repos/secrets/forget-secrets.ts'
import { describeHosts } from './describe-hosts.ts'
import { describeMachine } from './describe-machine.ts'
import { countOf, whyNoBlobs, whyNoSecrets } from './find-obstacles.ts'

export const chores = {
  /** Opening the app has brought the database to the newest schema. */
  migrate: async () => {},
  doctor: examine,
  'forget-secrets': forgetLost,
} satisfies Record<string, (app: App) => Promise<void>>

/** Does one thing for the operator, and ends. */
export async function maintain(config: Config, chore: keyof typeof chores): Promise<void> {
  await using app = await openApp({ ...config, gitUrl: null }, { role: chore })
  await chores[chore](app)
}

async function examine(app: App): Promise<void> {
  const machine = await describeMachine(app)
  const sandbox = await app.sandboxes.probe()
  const blobs = await whyNoBlobs(app)
  const secrets = await whyNoSecrets(app)
  const engines = [...app.engines].map(([name, engine]) => ({ name, ...engine.availability() }))
  const lines = [
    `Runwright ${version}, Node ${process.version}, ${os.type()} ${os.release()}`,
    `Data: ${app.config.dataDir}`,
    ...machine.lines,
    `Store of files: ${blobs ?? 'can be used'}`,
    `Secrets: ${secrets ?? 'can be read'}`,
    ...(await describeTokens(app)),
    ...(await findExcessRights(app.pool)).map((excess) => `Database: ${excess}`),
    `Sandbox (${app.sandboxes.name}): ${sandbox.isolated ? 'isolated' : 'NOT isolated'}; its limits are held`,
    ...Object.entries(sandbox.enforcement).map(([limit, how]) => `  ${limit}: ${how}`),
    ...sandbox.problems.map((problem) => `  problem: ${problem}`),
    ...sandbox.notes.map((note) => `  note: ${note}`),
    ...(await describeSsh(app)),
    ...engines.map(({ name, available, reason }) => `Engine ${name}: ${available ? 'available' : reason}`),
    ...(await describeHosts(app.pool, app.publicUrl)),
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  if (!sandbox.isolated || blobs || secrets || machine.hasProblems) process.exitCode = 1
}

/** While the secret key is changed: what would be lost if the one before were taken away now. */
async function describeTokens({ pool, tokenKeys, secretKeys }: App): Promise<string[]> {
  if (!secretKeys.previous) return []
  const count = await countStaleTokens(pool, tokenKeys)
  if (!count) return ['Tokens: all know the present secret key. RUNWRIGHT_SECRET_KEY_PREVIOUS is not needed any more.']
  return [
    `Tokens: ${count} not used since the secret key was changed. They need RUNWRIGHT_SECRET_KEY_PREVIOUS until then.`,
  ]
}

/** By what clients can tell that it is this service. */
async function describeSsh({ pool, config, sshUrl, secretBox }: App): Promise<string[]> {
  if (!config.ssh) return ['SSH: turned off (RUNWRIGHT_SSH_PORT)']
  const key = await readHostKey(pool, secretBox)
  const made = key ? `host key ${key.fingerprint} (ED25519)` : 'the host key is made at the first start'
  return [`SSH: ${sshUrl}, ${key && key.privateKey === undefined ? 'the host key cannot be read' : made}`]
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
