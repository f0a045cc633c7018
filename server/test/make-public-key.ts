import { generateKeyPairSync } from 'node:crypto'

/** A fresh Ed25519 key, as a `.pub` file has it. */
export function makePublicKey(): string {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' })
  const fields = ['ssh-ed25519', Buffer.from(x, 'base64url')].map((field) => {
    const bytes = Buffer.from(field as string)
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    return Buffer.concat([length, bytes])
  })
  return `ssh-ed25519 ${Buffer.concat(fields).toString('base64')}`
}
