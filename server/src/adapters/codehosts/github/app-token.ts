import { createPrivateKey, sign } from 'node:crypto'
import { HostError } from '#adapters/codehosts/code-host.ts'

/** By which an App shows who it is, for some minutes. */
export function appToken({ appId, privateKey }: { appId: number; privateKey: string }, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1_000)
  // Begins a minute ago, since GitHub's clock and ours may differ.
  const claims = { iat: seconds - 60, exp: seconds + 9 * 60, iss: String(appId) }
  const text = [{ alg: 'RS256', typ: 'JWT' }, claims].map((part) => base64(JSON.stringify(part))).join('.')
  return `${text}.${sign('RSA-SHA256', Buffer.from(text), readKey(privateKey)).toString('base64url')}`
}

function readKey(privateKey: string) {
  try {
    return createPrivateKey(privateKey)
  } catch (error) {
    throw new HostError('invalid', 'The private key is none: it must be the PEM file that GitHub gives out.', {
      cause: error,
    })
  }
}

const base64 = (text: string) => Buffer.from(text).toString('base64url')
