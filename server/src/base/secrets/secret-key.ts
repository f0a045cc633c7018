import { hkdfSync, randomBytes } from 'node:crypto'
import { linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { Secret } from './secret.ts'

/** What a key is derived for; each purpose has a key of its own, so that none can be used in another's place. */
export type KeyPurpose = 'tokens' | 'secrets' | 'canaries' | 'fingerprint'

/** The instance's one secret, from which all others are derived. */
export type SecretKey = { derive(purpose: KeyPurpose): Buffer }

/** The one that is used, and those that are accepted beside it while the processes are given another key one after the other. */
export type SecretKeys = { key: SecretKey; previous: SecretKey | null; next: SecretKey | null }

/** Whose work is accepted: first that of the present one. */
export function acceptedKeys({ key, previous, next }: SecretKeys): SecretKey[] {
  return [key, previous, next].filter((each) => each !== null)
}

const keyBytes = 32

type Settings = {
  secretKey: Secret | null
  previousSecretKey: Secret | null
  nextSecretKey: Secret | null
  dataDir: string
}

/** All that the settings give; the present one is made where they give none. */
export function openSecretKeys(settings: Settings): SecretKeys {
  const open = (secretKey: Secret | null) => secretKey && openSecretKey({ ...settings, secretKey })
  return {
    key: openSecretKey(settings),
    previous: open(settings.previousSecretKey),
    next: open(settings.nextSecretKey),
  }
}

/** The key that is given, else the one in the data folder, which is made at the first start. */
export function openSecretKey({ secretKey, dataDir }: { secretKey: Secret | null; dataDir: string }): SecretKey {
  const key = secretKey ?? new Secret(readOrMake(path.join(dataDir, 'secret-key')))
  return { derive: (purpose) => Buffer.from(hkdfSync('sha256', key.reveal(), '', `runwright ${purpose}`, keyBytes)) }
}

/** Written beside and linked into place, so that of several processes that start at once all read the same key. */
function readOrMake(file: string): string {
  const known = read(file)
  if (known) return known
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  const unfinished = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`
  writeFileSync(unfinished, `${randomBytes(keyBytes).toString('base64url')}\n`, { mode: 0o600 })
  try {
    linkSync(unfinished, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    unlinkSync(unfinished)
  }
  const made = read(file)
  if (!made)
    throw new Error(`${file} is empty. Restore it from a backup, or remove it: tokens made with it then stop working.`)
  return made
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
