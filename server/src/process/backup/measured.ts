import { createHash } from 'node:crypto'
import { Transform, type TransformCallback } from 'node:stream'
import type { Copied } from './copy-file.ts'

/** Passes everything on, and knows at its end what it was; then `check` may say that it is not what it should be. */
export class Measured extends Transform {
  readonly #hash = createHash('sha256')
  readonly #check: (found: Copied) => Error | null
  #bytes = 0
  #found: Copied | undefined

  constructor(check: (found: Copied) => Error | null = () => null) {
    super()
    this.#check = check
  }

  override _transform(chunk: Buffer, _: BufferEncoding, done: TransformCallback): void {
    this.#hash.update(chunk)
    this.#bytes += chunk.length
    done(null, chunk)
  }

  override _flush(done: TransformCallback): void {
    done(this.#check(this.found()))
  }

  found(): Copied {
    return (this.#found ??= { bytes: this.#bytes, sha256: this.#hash.digest('hex') })
  }
}
