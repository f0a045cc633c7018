import { limits } from '#base/limits.ts'
import type { Redactor } from '#base/redaction/redactor.ts'
import { findPackedSecret, looksPacked, unpackAllowance, type UnpackAllowance } from './find-packed-secret.ts'

/** An object that git is about to take over from a run. */
export type PushedObject = {
  kind: string
  id: string
  /** One under which it lies. Empty for the top folder, and for what is no file. */
  path: string
}

/** Looks at one object, piece by piece; at its end it says what is against it. */
export type ObjectInspector = { write(piece: Uint8Array): void; end(): Promise<string | null> }

/**
 * Looks for known secrets in what a run pushes: files, names of files, messages and authors of commits. What is known by
 * its form alone is let through: a repository may hold made-up tokens for its tests.
 */
export function inspectObject(
  redactor: Redactor,
  { kind, id, path }: PushedObject,
  allowance: UnpackAllowance = unpackAllowance(),
): ObjectInspector {
  const packed = kind === 'blob' ? new PackedFile() : undefined
  let passed = 0
  let line = 1
  let piece: Uint8Array = new Uint8Array()
  let complaint: string | null = null
  const where = () => {
    if (kind === 'tree') return `the name of a file in ${path ? redactor.mask(path) : 'the top folder'}`
    if (kind !== 'blob') return `the ${kind} ${id.slice(0, 12)}`
    return `${redactor.mask(path)}, line ${line + lineEndsIn(piece.subarray(0, -1))},`
  }
  const search = redactor.openSearch(({ name, end }) => {
    piece = piece.subarray(0, end - passed)
    complaint ??= `${where()} holds the secret ${name}. ${advice}`
  })
  return {
    write: (bytes) => {
      if (complaint !== null) return
      packed?.add(bytes)
      piece = bytes
      search.write(bytes)
      passed += bytes.length
      line += lineEndsIn(bytes)
    },
    end: async () => {
      const file = packed?.file()
      if (complaint !== null || !file) return complaint
      const name = await findPackedSecret(redactor, { bytes: file, allowance })
      return name && `${redactor.mask(path)}, where it is unpacked, holds the secret ${name}. ${advice}`
    },
  }
}

const advice = 'Take it out of every commit that is pushed, and push again.'
const beginningBytes = 512

/** Keeps what may be packed, as far as it is looked into. */
class PackedFile {
  #pieces: Buffer[] = []
  #length = 0
  #isPacked: boolean | undefined

  add(bytes: Uint8Array): void {
    if (this.#isPacked === false) return
    // A copy: who wrote the piece may use its memory again.
    this.#pieces.push(Buffer.from(bytes.subarray(0, limits.pushPackedBytesMax - this.#length)))
    this.#length += this.#pieces.at(-1)!.length
    if (this.#isPacked === undefined && this.#length >= beginningBytes) this.#decide()
  }

  file(): Buffer | undefined {
    this.#decide()
    return this.#isPacked ? Buffer.concat(this.#pieces) : undefined
  }

  #decide(): void {
    this.#isPacked ??= looksPacked(Buffer.concat(this.#pieces))
    if (!this.#isPacked) this.#pieces = []
  }
}

function lineEndsIn(bytes: Uint8Array): number {
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) count++
  return count
}
