import type { App } from '#app/app.ts'
import { findExcessRights } from '#db/find-excess-rights.ts'
import { countStaleTokens } from '#domain/accounts/tokens/count-stale-tokens.ts'
import { readHostKey } from '#domain/repos/deploy-keys/host-key.ts'
import { describeMachine } from './describe-machine.ts'
import { whyNoBlobs, whyNoSecrets } from './find-obstacles.ts'

/** What holds on this machine, and whether runs can work here. Nothing in it is of an organization. */
export async function examine(app: App) {
  const machine = await describeMachine(app)
  const sandbox = await app.sandboxes.probe()
  const blobs = await whyNoBlobs(app)
  const secrets = await whyNoSecrets(app)
  return {
    hasProblems: !sandbox.isolated || blobs !== undefined || secrets !== undefined || machine.hasProblems,
    machine: machine.lines,
    blobs: blobs ?? 'can be used',
    secrets: secrets ?? 'can be read',
    tokens: await describeTokens(app),
    excessRights: await findExcessRights(app.pool),
    sandbox: { name: app.sandboxes.name, ...sandbox },
    ssh: await describeSsh(app),
    engines: [...app.engines].map(([name, engine]) => ({ name, ...engine.availability() })),
  }
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
