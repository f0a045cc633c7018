import { constants, inflateRawSync } from 'node:zlib'

/** Where in bytes begins what gzip or zlib have packed; null where it is neither. What they say of its length is not believed. */
export function payloadOf(bytes: Uint8Array, from: number): number | null {
  if (bytes[from] === 0x78) return [0x01, 0x5e, 0x9c, 0xda].includes(bytes[from + 1]!) ? from + 2 : null
  if (bytes[from] !== 0x1f || bytes[from + 1] !== 0x8b || bytes[from + 2] !== 8) return null
  const flags = bytes[from + 3]!
  if (flags > 0x1f) return null
  let at = from + 10
  if (flags & 4) at += 2 + bytes[at]! + 256 * bytes[at + 1]!
  for (const flag of [8, 16]) if (flags & flag) at = afterNul(bytes, at)
  if (flags & 2) at += 2
  return at < bytes.length ? at : null
}

function afterNul(bytes: Uint8Array, from: number): number {
  const end = bytes.indexOf(0, from)
  return end < 0 ? bytes.length : end + 1
}

const triesMax = 5
/** Less is no secret any more. */
const packedBytesMin = 12

/**
 * As much as can be unpacked of what may be cut off, broken or too much: of what does not come out whole the first half is tried,
 * and of that again. Null: nothing.
 */
export function inflateStart(packed: Buffer, bytesMax: number): Buffer | null {
  let part = packed
  for (let tries = 0; tries < triesMax && part.length >= packedBytesMin; tries++) {
    try {
      return inflateRawSync(part, { maxOutputLength: Math.max(1, bytesMax), finishFlush: constants.Z_SYNC_FLUSH })
    } catch {
      part = part.subarray(0, part.length >> 1)
    }
  }
  return null
}
