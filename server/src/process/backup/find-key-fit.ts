import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Config } from '#base/config/config.ts'
import { acceptedKeys, openSecretKeys } from '#base/secrets/secret-key.ts'
import { isFingerprintOf } from '#domain/repos/secrets/claim-key.ts'
import type { Manifest } from './manifest.ts'

/** `none`: there is no key here to compare with. */
export type KeyFit = 'fits' | 'other' | 'none'

/** Whether the secret key of the settings, or of the data folder, is the one that the backup's tokens and secrets are made with. */
export function findKeyFit(config: Config, { key }: Pick<Manifest, 'key'>): KeyFit {
  // Nothing makes a key where there is none: it would open nothing.
  const isHere = config.secretKey !== null || existsSync(path.join(config.dataDir, 'secret-key'))
  if (!key) return 'fits'
  if (!isHere) return 'none'
  const known = { salt: Buffer.from(key.salt, 'hex'), digest: Buffer.from(key.digest, 'hex') }
  return acceptedKeys(openSecretKeys(config)).some((each) => isFingerprintOf(each, known)) ? 'fits' : 'other'
}
