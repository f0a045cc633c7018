import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Json } from '#base/json.ts'

/** The first byte of what is sealed: how it was done. */
const FORM = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16
const HEAD_BYTES = 1 + NONCE_BYTES + TAG_BYTES

/**
 * Seals bytes with a key (AES-256-GCM). They are read again only by who has the key and names the place that they were
 * sealed for, so that what is moved to another row cannot be read there.
 */
export class SecretBox {
  readonly #key: Buffer
  readonly #previous: SecretBox | undefined
  readonly #next: SecretBox | undefined

  /** What `previous` and `next` have sealed is read as well, while keys are changed. */
  constructor(key: Buffer, { previous, next }: { previous?: Buffer | undefined; next?: Buffer | undefined } = {}) {
    this.#key = key
    this.#previous = previous && new SecretBox(previous)
    this.#next = next && new SecretBox(next)
  }

  seal(bytes: Uint8Array, place: Json): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv('aes-256-gcm', this.#key, nonce, { authTagLength: TAG_BYTES })
    cipher.setAAD(Buffer.from(JSON.stringify(place)))
    const sealed = Buffer.concat([cipher.update(bytes), cipher.final()])
    return Buffer.concat([Buffer.of(FORM), nonce, cipher.getAuthTag(), sealed])
  }

  /** Undefined for what was sealed with another key, for another place, or was changed since. */
  open(sealed: Uint8Array, place: Json): Buffer | undefined {
    return this.#open(sealed, place) ?? this.#previous?.open(sealed, place) ?? this.#next?.open(sealed, place)
  }

  /** What the previous key has sealed, sealed with the present one. Undefined for everything else. */
  renew(sealed: Uint8Array, place: Json): Buffer | undefined {
    const opened = this.#previous?.open(sealed, place)
    return opened && this.seal(opened, place)
  }

  #open(sealed: Uint8Array, place: Json): Buffer | undefined {
    if (sealed.length < HEAD_BYTES || sealed[0] !== FORM) return undefined
    const decipher = createDecipheriv('aes-256-gcm', this.#key, sealed.subarray(1, 1 + NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAAD(Buffer.from(JSON.stringify(place)))
    decipher.setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEAD_BYTES))
    try {
      return Buffer.concat([decipher.update(sealed.subarray(HEAD_BYTES)), decipher.final()])
    } catch {
      return undefined
    }
  }
}
