import { createPublicKey, hash } from 'node:crypto'
import { AppError } from '#base/errors.ts'
import { trimTrailing } from '#base/text/trim-trailing.ts'

/** `text`: the type and the key, without the comment that people append. `bytes`: the key as clients send it. */
export type PublicKey = { text: string; fingerprint: string; bytes: Buffer }

const charactersMax = 16_384
const rsaBitsMin = 2_048
const rsaBitsMax = 16_384
const form = /^(ssh-ed25519|ecdsa-sha2-nistp(?:256|384|521)|ssh-rsa)[ \t]+([A-Za-z0-9+/]+={0,2})(?:[ \t][^\r\n]*)?$/

/** Reads a line of a `.pub` file. Throws `invalid_request`, which says what is wrong with it and never shows it. */
export async function readPublicKey(line: string): Promise<PublicKey> {
  if (line.includes('PRIVATE KEY'))
    throw refused('This is a private key. Keep it secret, and send the public key from the file that ends with .pub.')
  const [, type, base64] = (line.length <= charactersMax && form.exec(line.trim())) || []
  if (type === undefined || base64 === undefined)
    throw refused(
      'This is not a public key. Send the line of a .pub file that begins with ssh-ed25519, ecdsa-sha2-nistp256 or ssh-rsa.',
    )
  // Who runs the service without SSH does not load it before somebody adds a key.
  const { utils } = (await import('ssh2')).default
  const parsed = utils.parseKey(`${type} ${base64}`)
  const bytes = Buffer.from(base64, 'base64')
  const isWhole = !(parsed instanceof Error) && parsed.type === type && parsed.getPublicSSH().equals(bytes)
  const bits = isWhole ? bitsOf(parsed.getPublicPEM()) : undefined
  if (bits === undefined) throw refused('This public key is damaged. Copy the whole line of the .pub file.')
  if (type === 'ssh-rsa' && (bits < rsaBitsMin || bits > rsaBitsMax))
    throw refused(
      `An RSA key must have ${rsaBitsMin} to ${rsaBitsMax} bits, and this one has ${bits}. Make another: ssh-keygen -t ed25519`,
    )
  return { text: `${type} ${bytes.toString('base64')}`, fingerprint: fingerprintOf(bytes), bytes }
}

/** As `ssh-keygen -l` prints it. */
export const fingerprintOf = (key: Uint8Array) => `SHA256:${trimTrailing(hash('sha256', key, 'base64'), '=')}`

/** Of an RSA key; 0 for others. Undefined for what is no key. */
function bitsOf(pem: string): number | undefined {
  try {
    return createPublicKey(pem).asymmetricKeyDetails?.modulusLength ?? 0
  } catch {
    return undefined
  }
}

const refused = (msg: string) =>
  new AppError('invalid_request', { message: msg, detail: [{ loc: ['body', 'key'], msg, type: 'value_error' }] })
