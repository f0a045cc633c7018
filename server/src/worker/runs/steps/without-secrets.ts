import { isUtf8 } from 'node:buffer'
import { setImmediate } from 'node:timers/promises'
import type { Redactor } from '#base/redaction/redactor.ts'

/** Large files are gone through beside other work. */
const pieceBytes = 1024 * 1024

/** A file as it may be shown: a text with its secrets taken out; null where a secret is in what is no text. */
export async function withoutSecrets(bytes: Buffer, redactor: Redactor): Promise<Buffer | null> {
  const isText = isUtf8(bytes) && !bytes.includes(0)
  let isFound = false
  const stream = isText ? redactor.openStream() : redactor.openSearch(() => (isFound = true))
  const out: Buffer[] = []
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    if (from > 0) await setImmediate()
    out.push(stream.write(bytes.subarray(from, from + pieceBytes)))
  }
  out.push(stream.end())
  if (isText) return Buffer.concat(out)
  return isFound ? null : bytes
}
