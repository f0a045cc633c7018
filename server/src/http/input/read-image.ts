/** What an image's bytes say that it is, and how large it is when shown. */
export type Image = { mediaType: string; width: number; height: number }

/** Reads what stands at the beginning of a PNG, JPEG, GIF or WebP. Undefined for what is none of them, or not whole there. */
export function readImage(bytes: Buffer): Image | undefined {
  const found = readPng(bytes) ?? readGif(bytes) ?? readWebp(bytes) ?? readJpeg(bytes)
  return found && found.width > 0 && found.height > 0 ? found : undefined
}

const textAt = (bytes: Buffer, from: number, to: number) => bytes.toString('latin1', from, to)

function readPng(bytes: Buffer): Image | undefined {
  if (bytes.length < 24 || textAt(bytes, 0, 8) !== '\x89PNG\r\n\x1a\n' || textAt(bytes, 12, 16) !== 'IHDR')
    return undefined
  return { mediaType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) }
}

function readGif(bytes: Buffer): Image | undefined {
  if (bytes.length < 10 || !/^GIF8[79]a$/.test(textAt(bytes, 0, 6))) return undefined
  return { mediaType: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) }
}

/** Three kinds of picture may stand in the frame: VP8X (with extras), VP8L (lossless), VP8 (lossy). */
function readWebp(bytes: Buffer): Image | undefined {
  if (bytes.length < 30 || textAt(bytes, 0, 4) !== 'RIFF' || textAt(bytes, 8, 12) !== 'WEBP') return undefined
  const mediaType = 'image/webp'
  const kind = textAt(bytes, 12, 16)
  if (kind === 'VP8X') return { mediaType, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 }
  if (kind === 'VP8L') {
    const sizes = bytes.readUInt32LE(21)
    return { mediaType, width: (sizes & 0x3fff) + 1, height: ((sizes >> 14) & 0x3fff) + 1 }
  }
  if (kind !== 'VP8 ') return undefined
  return { mediaType, width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
}

/** The size stands in the frame header, one of several segments, each of which says how long it is. */
function readJpeg(bytes: Buffer): Image | undefined {
  if (textAt(bytes, 0, 3) !== '\xff\xd8\xff') return undefined
  for (let at = 2; at + 9 <= bytes.length;) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1]!
    // Bytes that fill up, and segments of nothing.
    if (marker === 0xff) at += 1
    else if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) at += 2
    else if (isFrame(marker)) {
      return { mediaType: 'image/jpeg', width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    } else at += 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

/** SOF0 to SOF15 but for the three that are tables. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
