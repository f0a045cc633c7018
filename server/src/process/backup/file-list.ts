import { createReadStream, createWriteStream } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { drained } from '#base/concurrency/drained.ts'
import { parseBlobPath } from '#adapters/blobs/blob-path.ts'
import type { BlobKey } from '#adapters/blobs/blob-store.ts'
import { BackupError } from './backup-error.ts'
import { measureFile } from './copy-file.ts'
import { Measured } from './measured.ts'

/** A file of a repository, or a blob, below the folder of the backup. */
export type ListedFile = { path: string; bytes: number; sha256: string }

export type ListedPlace = { kind: 'git'; repository: string; name: string } | ({ kind: 'blob' } & BlobKey)

const listName = 'files.jsonl.gz'
const namesInRepository = [
  /^HEAD$/,
  /^packed-refs$/,
  /^objects\/[0-9a-f]{2}\/[0-9a-f]{38}$/,
  /^objects\/pack\/pack-[0-9a-f]{40}\.(?:pack|idx|rev|mtimes)$/,
  /^lfs\/objects\/[0-9a-f]{2}\/[0-9a-f]{2}\/[0-9a-f]{64}$/,
]

export const isRepositoryPath = (text: string) =>
  /^[1-9][0-9]{0,15}\/(?:[a-z]{1,20}-)?[1-9][0-9]{0,15}\.git$/.test(text)
export const isInRepository = (text: string) => namesInRepository.some((pattern) => pattern.test(text))

/** Whose file it is; undefined for a path that no backup has, such as one that leads out of its folder. */
export function placeOf(file: string): ListedPlace | undefined {
  const [kind, organization, folder, ...names] = file.split('/')
  const [repository, name] = [`${organization}/${folder}`, names.join('/')]
  if (kind === 'git' && isRepositoryPath(repository) && isInRepository(name)) return { kind, repository, name }
  const blob = file.startsWith('blobs/') ? parseBlobPath(file.slice('blobs/'.length)) : undefined
  return blob && { kind: 'blob', ...blob }
}

/** Writes the list as files are copied. */
export class FileListWriter {
  readonly #gzip = createGzip({ level: 1 })
  readonly #written: Promise<void>
  readonly #measured = new Measured()
  #count = 0

  constructor(folder: string) {
    const target = createWriteStream(path.join(folder, listName), { flags: 'wx', mode: 0o600, flush: true })
    this.#written = pipeline(this.#gzip, this.#measured, target)
    this.#written.catch(() => {})
  }

  async add(file: ListedFile): Promise<void> {
    this.#count++
    if (!this.#gzip.write(`${JSON.stringify(file)}\n`)) await Promise.race([drained(this.#gzip), this.#written])
  }

  async end(): Promise<{ count: number; bytes: number; sha256: string }> {
    this.#gzip.end()
    await this.#written
    return { count: this.#count, ...this.#measured.found() }
  }
}

/** All files of a backup in the order of the list. Rejects with a `BackupError` where the list is not the manifest's, or names what no backup has. */
export async function* readFileList(
  folder: string,
  { count, sha256 }: { count: number; sha256: string },
): AsyncGenerator<ListedFile> {
  const file = path.join(folder, listName)
  if ((await measureFile(file)).sha256 !== sha256)
    throw new BackupError(`${file} is damaged: its bytes are not those that were written.`)
  const content = createReadStream(file).pipe(createGunzip())
  let read = 0
  for await (const line of linesOf(content)) {
    const listed = parseLine(line)
    if (!listed) throw new BackupError(`${file} names something that no backup has: ${line.slice(0, 200)}`)
    read++
    yield listed
  }
  if (read !== count) throw new BackupError(`${file} lists ${read} files, and the manifest says ${count}.`)
}

function parseLine(line: string): ListedFile | undefined {
  try {
    const { path: name, bytes, sha256 } = JSON.parse(line) as Partial<ListedFile>
    const isFile = typeof name === 'string' && placeOf(name) && Number.isSafeInteger(bytes) && bytes! >= 0
    return isFile && /^[0-9a-f]{64}$/.test(sha256 ?? '') ? { path: name, bytes: bytes!, sha256: sha256! } : undefined
  } catch {
    return undefined
  }
}

const lineCharactersMax = 1_000

async function* linesOf(content: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of content as AsyncIterable<Buffer>) {
    const lines = (rest + chunk.toString('latin1')).split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > lineCharactersMax)
      throw new BackupError('The list of files of the backup has a line without an end.')
  }
  if (rest) yield rest
}
