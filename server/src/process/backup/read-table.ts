import { Transform, type Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { BackupError } from './backup-error.ts'
import { openPlainFile } from './copy-file.ts'
import { tableFile } from './dump-tables.ts'
import { Measured } from './measured.ts'
import type { Manifest } from './manifest.ts'

type DumpedTable = Manifest['tables'][number]

/** What COPY wrote of a table. Fails at its end where the file is not the one that was written, or has other rows. */
export async function openTable(folder: string, { name, rows, bytes, sha256 }: DumpedTable): Promise<Readable> {
  const file = tableFile(folder, name)
  const damaged = (what: string, cause?: unknown) => new BackupError(`${file} is damaged: ${what}.`, { cause })
  const measured = new Measured((found) =>
    found.bytes === bytes && found.sha256 === sha256 ? null : damaged('its bytes are not those that were written'),
  )
  let lines = 0
  const counted = new Transform({
    transform: (chunk: Buffer, _, done) => {
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) lines++
      done(null, chunk)
    },
    flush: (done) => done(lines === rows ? null : damaged(`it has ${lines} rows, and the manifest says ${rows}`)),
  })
  const content = await openPlainFile(file)
  const unpacked = createGunzip()
  content.on('error', (error) => counted.destroy(error))
  measured.on('error', (error) => counted.destroy(error))
  unpacked.on('error', (error) => counted.destroy(damaged('it cannot be unpacked', error)))
  counted.on('close', () => content.destroy())
  return content.pipe(measured).pipe(unpacked).pipe(counted)
}

const newline = 0x0a

/** The fields of each row, as text; null: none. */
export async function* readRows(content: Readable): AsyncGenerator<(string | null)[]> {
  let rest: Buffer[] = []
  for await (const chunk of content as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      yield parseRow(Buffer.concat([...rest, chunk.subarray(from, at)]).toString())
      rest = []
      from = at + 1
    }
    rest.push(chunk.subarray(from))
  }
}

const escapes: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }

function parseRow(line: string): (string | null)[] {
  return line
    .split('\t')
    .map((field) =>
      field === '\\N' ? null : field.replace(/\\(.)/g, (_, letter: string) => escapes[letter] ?? letter),
    )
}
