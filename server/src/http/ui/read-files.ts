import { hash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'

/** One file of the web UI, as it is sent. */
export type UiFile = {
  /** Below the folder, with `/`. */
  name: string
  mediaType: string
  tag: string
  bytes: Buffer
  /** The same, compressed, by the name of its coding; the one to be preferred first. */
  encoded: Map<string, Buffer>
}

const codings = { br: '.br', gzip: '.gz' }

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.woff2': 'font/woff2',
  // The example of a record; its own ending would be that of a compressed file.
  '.record': 'application/octet-stream',
}

/** All files of a built UI, in memory: they are few and small. None where nothing was built. */
export async function readFiles(folder: string): Promise<UiFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const bytesOf = new Map<string, Buffer>()
  for (const entry of entries) {
    if (!entry.isFile()) continue
    const file = path.join(entry.parentPath, entry.name)
    bytesOf.set(path.relative(folder, file).split(path.sep).join('/'), await readFile(file))
  }
  return [...bytesOf].flatMap(([name, bytes]) => {
    const mediaType = mediaTypes[path.extname(name)]
    if (!mediaType) return []
    const encoded = Object.entries(codings).flatMap(([coding, ending]): [string, Buffer][] => {
      const found = bytesOf.get(`${name}${ending}`)
      return found ? [[coding, found]] : []
    })
    return [{ name, mediaType, tag: `"${hash('sha256', bytes, 'base64url')}"`, bytes, encoded: new Map(encoded) }]
  })
}
