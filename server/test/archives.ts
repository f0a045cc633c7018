import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { crc32, gzipSync } from 'node:zlib'

/** Contents by path. */
export type ArchiveFiles = Record<string, string | Buffer>

/** The same bytes for the same files. */
export function makeTarball(files: ArchiveFiles): Buffer {
  const parts = Object.entries(files).flatMap(([name, content]) => {
    const bytes = Buffer.from(content)
    return [tarHeader(name, bytes.length), bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512)]
  })
  return gzipSync(Buffer.concat([...parts, Buffer.alloc(1024)]), { level: 1 })
}

/** What `npm pack` would make of an installed package, near enough. */
export function packFolder(folder: string): Buffer {
  const names = readdirSync(folder, { recursive: true }).map(String)
  const files = names.filter((name) => statSync(path.join(folder, name)).isFile())
  const contents = files.map((name) => [`package/${name}`, readFileSync(path.join(folder, name))] as const)
  return makeTarball(Object.fromEntries(contents))
}

function tarHeader(name: string, size: number): Buffer {
  const header = Buffer.alloc(512)
  // A long path is cut at a slash into its two fields.
  const cut = name.length > 100 ? name.indexOf('/', name.length - 101) : -1
  header.write(name.slice(cut + 1), 0, 100)
  header.write('0000755\0', 100)
  header.write('0000000\0'.repeat(2), 108)
  header.write(`${size.toString(8).padStart(11, '0')}\0`, 124)
  header.write('00000000000\0', 136)
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  if (cut > 0) header.write(name.slice(0, cut), 345, 155)
  const sum = header.reduce((total, byte) => total + byte, 0)
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Not compressed. */
export function makeZip(files: ArchiveFiles): Buffer {
  const locals: Buffer[] = []
  const centrals: Buffer[] = []
  let offset = 0
  for (const [name, content] of Object.entries(files)) {
    const bytes = Buffer.from(content)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(0x21, 8)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(bytes.length, 14)
    fields.writeUInt32LE(bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), bytes])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE((0o100644 << 16) >>> 0, 6)
    rest.writeUInt32LE(offset, 10)
    centrals.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\x03'), fields, rest, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const directory = Buffer.concat(centrals)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(centrals.length, 4)
  end.writeUInt16LE(centrals.length, 6)
  end.writeUInt32LE(directory.length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...locals, directory, Buffer.from('PK\x05\x06'), end])
}

export const digest = (kind: 'sha256' | 'sha512', bytes: Buffer | string, as: 'hex' | 'base64' = 'hex'): string =>
  createHash(kind).update(bytes).digest(as)
