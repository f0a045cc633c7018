import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import path from 'node:path'
import { listProcesses } from './list-processes.ts'

/** Finds what a test has planted: words that all begin alike, in the forms in which programs keep words, and bytes by their names. */
export type Planted = { prefix: string; bytes: Record<string, Buffer> }

/** Where something was found, and what: `environ of 17: planted-…`. */
export type Found = { place: string; what: string }

const wordBytesMax = 64
const pageBytes = 4_096

/** In every file and every name of a file below a folder. */
export function searchFolder(folder: string, planted: Planted): Found[] {
  return readdirSync(folder, { withFileTypes: true, recursive: true }).flatMap((entry) => {
    const file = path.join(entry.parentPath, entry.name)
    const place = path.relative(folder, file)
    return [Buffer.from(entry.name), contentOf(file, entry)].flatMap((bytes) => searchBytes(bytes, place, planted))
  })
}

/** In the environments, command lines and memory of a process and of all that it has started. */
export function searchProcesses(first: number, planted: Planted): Found[] {
  return familyOf(first).flatMap((pid) =>
    (['environ', 'cmdline', 'mem'] as const).flatMap((name) => {
      const place = `${name} of ${pid}`
      if (name === 'mem') return searchMemory(pid, place, planted)
      return searchBytes(readIfThere(`/proc/${pid}/${name}`), place, planted)
    }),
  )
}

/** The process and its descendants. */
function familyOf(first: number): number[] {
  const all = listProcesses()
  const family = [first]
  for (const pid of family) family.push(...all.filter(({ parent }) => parent === pid).map((child) => child.pid))
  return family
}

/** Pages of files that nobody has written to are left out, as they are these files; and so are those that were never used. */
function searchMemory(pid: number, place: string, planted: Planted): Found[] {
  const regions = readIfThere(`/proc/${pid}/maps`)
    .toString()
    .matchAll(/^([0-9a-f]+)-([0-9a-f]+) r(.).. \S+ \S+ \d+ *(.*)$/gm)
  const found: Found[] = []
  for (const [, from = '', to = '', writable, name = ''] of regions) {
    if ((writable === '-' && name.startsWith('/')) || name.startsWith('[v')) continue
    for (const [at, end] of usedRanges(pid, Number.parseInt(from, 16), Number.parseInt(to, 16)))
      found.push(...searchBytes(readAt(`/proc/${pid}/mem`, at, end - at), place, planted))
  }
  return found
}

/** Where the pages between two addresses are in memory or swapped out, as `/proc/PID/pagemap` says in eight bytes for each. */
function usedRanges(pid: number, from: number, to: number): [from: number, to: number][] {
  const pages = readAt(`/proc/${pid}/pagemap`, (from / pageBytes) * 8, ((to - from) / pageBytes) * 8)
  const ranges: [from: number, to: number][] = []
  for (let page = 0; page < pages.length / 8; page++) {
    const isUsed = (pages[page * 8 + 7]! & 0b1100_0000) > 0
    const at = from + page * pageBytes
    const last = ranges.at(-1)
    if (isUsed && last?.[1] === at) last[1] += pageBytes
    else if (isUsed) ranges.push([at, at + pageBytes])
  }
  return ranges
}

/** Nothing of a process that has ended, or where nobody may read. */
function readAt(file: string, position: number, length: number): Buffer {
  let descriptor: number | undefined
  try {
    descriptor = openSync(file, 'r')
    const bytes = Buffer.alloc(length)
    return bytes.subarray(0, readSync(descriptor, bytes, 0, length, position))
  } catch {
    return Buffer.alloc(0)
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

const wordForms: [name: string, write: (word: string) => Buffer, read: (bytes: Buffer) => string][] = [
  ['', (word) => Buffer.from(word), (bytes) => bytes.toString('latin1')],
  [' in two bytes a character', (word) => Buffer.from(word, 'utf16le'), (bytes) => bytes.toString('utf16le')],
  [
    ' in base64',
    (word) => Buffer.from(Buffer.from(word).toString('base64')),
    (bytes) => Buffer.from(bytes.toString('latin1'), 'base64').toString('latin1'),
  ],
  [
    ' in hexadecimal',
    (word) => Buffer.from(Buffer.from(word).toString('hex')),
    (bytes) => Buffer.from(bytes.toString('latin1'), 'hex').toString('latin1'),
  ],
]

function searchBytes(bytes: Buffer, place: string, { prefix, bytes: named }: Planted): Found[] {
  const found = new Set<string>()
  for (const [form, write, read] of wordForms) {
    const needle = write(prefix)
    for (let at = bytes.indexOf(needle); at >= 0; at = bytes.indexOf(needle, at + needle.length)) {
      const word = /^[\w-]*/.exec(read(bytes.subarray(at, at + 4 * wordBytesMax)))![0]
      found.add(`${word}${form}`)
    }
  }
  for (const [name, needle] of Object.entries(named)) if (bytes.includes(needle)) found.add(name)
  return [...found].map((what) => ({ place, what }))
}

function contentOf(file: string, entry: { isFile(): boolean; isSymbolicLink(): boolean }): Buffer {
  if (entry.isSymbolicLink()) return Buffer.from(readlinkSync(file))
  return entry.isFile() ? readIfThere(file) : Buffer.alloc(0)
}

/** Nothing of what has ended or gone meanwhile. */
function readIfThere(file: string): Buffer {
  try {
    return readFileSync(file)
  } catch {
    return Buffer.alloc(0)
  }
}
