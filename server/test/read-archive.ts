import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { buffer } from 'node:stream/consumers'
import { createGunzip } from 'node:zlib'
import { extract } from 'tar-stream'

/** The files of a `.tar.gz` in their order. Rejects where it is cut off. */
export async function readArchive(content: Readable): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const tar = extract()
  tar.on('entry', ({ name }, file, next) => {
    void buffer(file).then((bytes) => {
      if (files.has(name)) throw new Error(`${name} is there twice`)
      files.set(name, bytes)
      next()
    })
  })
  await pipeline(content, createGunzip(), tar)
  return files
}

/** The rows of a table, from all the files that it takes. */
export function rowsIn(files: Map<string, Buffer>, table: string): Record<string, unknown>[] {
  const names = [...files.keys()].filter((name) => name.startsWith(`tables/${table}.jsonl`)).toSorted()
  const lines = Buffer.concat(names.map((name) => files.get(name)!))
    .toString()
    .split('\n')
  if (names.length && lines.pop() !== '') throw new Error(`${table} does not end with a line`)
  return names.length ? lines.map((line) => JSON.parse(line) as Record<string, unknown>) : []
}
