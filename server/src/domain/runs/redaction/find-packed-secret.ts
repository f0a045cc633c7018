import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { constants, inflateRaw } from 'node:zlib'
import { limits } from '#base/limits.ts'
import { payloadOf } from '#base/redaction/inflate-start.ts'
import type { Redactor } from '#base/redaction/redactor.ts'

/** What one push may still cost: bytes that are unpacked, and beginnings that are tried. */
export type UnpackAllowance = { bytes: number; tries: number }

export const unpackAllowance = (): UnpackAllowance => ({
  bytes: limits.pushUnpackedBytesMax,
  tries: limits.pushUnpackTriesMax,
})

const depthMax = 3
const searchedAtOnce = 128 * 1024
const tarMagicAt = 257

/** What begins as gzip, zip and tar do; in others nothing packed is looked for. */
export function looksPacked(beginning: Buffer): boolean {
  if (beginning.length > 2 && beginning[0] === 0x1f && beginning[1] === 0x8b) return true
  if (beginning.subarray(0, 4).equals(zipEntry)) return true
  return beginning.toString('latin1', tarMagicAt, tarMagicAt + 5) === 'ustar'
}

const zipEntry = Buffer.from('PK\u0003\u0004', 'latin1')
const gzipMember = Buffer.from([0x1f, 0x8b, 8])

/**
 * The name of a known secret in what gzip and zip have packed, also where one lies within another or within a tar. What packs
 * it is not asked where its parts are, but looked through for their beginnings: an archive can say what it likes. Bounded in bytes, tries and
 * depth; what is beyond that is not looked into. zlib unpacks in other threads, and the rest is done in slices.
 */
export async function findPackedSecret(
  redactor: Redactor,
  { bytes, allowance, depth = 1 }: { bytes: Buffer; allowance: UnpackAllowance; depth?: number },
): Promise<string | null> {
  for (let at = 0; (at = nextBeginning(bytes, at)) >= 0;) {
    const from = payloadAt(bytes, at)
    const unpacked = from === null ? null : await unpack(bytes.subarray(from), allowance)
    if (!unpacked) {
      at += 1
      if (allowance.tries <= 0 || allowance.bytes <= 0) return null
      continue
    }
    const name = await findSecret(redactor, unpacked.out)
    if (name !== null) return name
    const within =
      depth < depthMax ? await findPackedSecret(redactor, { bytes: unpacked.out, allowance, depth: depth + 1 }) : null
    if (within !== null) return within
    at = from! + Math.max(1, unpacked.read)
  }
  return null
}

function nextBeginning(bytes: Buffer, from: number): number {
  const [gzip, zip] = [bytes.indexOf(gzipMember, from), bytes.indexOf(zipEntry, from)]
  return gzip < 0 || zip < 0 ? Math.max(gzip, zip) : Math.min(gzip, zip)
}

/** Null for what is stored as it is, which is found as it is. */
function payloadAt(bytes: Buffer, at: number): number | null {
  if (bytes[at] === 0x1f) return payloadOf(bytes, at)
  if (at + 30 > bytes.length || bytes.readUInt16LE(at + 8) !== 8) return null
  const from = at + 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28)
  return from < bytes.length ? from : null
}

type Unpacked = { out: Buffer; read: number }
type Inflate = (bytes: Buffer, options: object) => Promise<{ buffer: Buffer; engine: { bytesWritten: number } }>

/** Null for what does not unpack, or into too much. */
async function unpack(bytes: Buffer, allowance: UnpackAllowance): Promise<Unpacked | null> {
  const maxOutputLength = Math.min(limits.pushUnpackedEntryBytesMax, allowance.bytes)
  if (--allowance.tries < 0 || maxOutputLength <= 0) return null
  try {
    const options = { maxOutputLength, finishFlush: constants.Z_SYNC_FLUSH, info: true }
    const { buffer, engine } = await (promisify(inflateRaw) as unknown as Inflate)(bytes, options)
    allowance.bytes -= buffer.length
    return { out: buffer, read: engine.bytesWritten }
  } catch (error) {
    // One that unpacks into too much has cost as much.
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE') allowance.bytes -= maxOutputLength
    return null
  }
}

async function findSecret(redactor: Redactor, bytes: Buffer): Promise<string | null> {
  const names: string[] = []
  const search = redactor.openSearch((found) => names.push(found.name))
  for (let from = 0; from < bytes.length && !names.length; from += searchedAtOnce) {
    if (from > 0) await setImmediate()
    search.write(bytes.subarray(from, from + searchedAtOnce))
  }
  search.end()
  return names[0] ?? null
}
