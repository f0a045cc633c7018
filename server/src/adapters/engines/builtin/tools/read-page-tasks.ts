// Runs in processes of `read-page.ts`, which ends one that takes too long or too much.
import { serveTasks } from '#base/off-process/serve-tasks.ts'
import { decodeFile } from './decode-file.ts'
import { isLowSurrogate } from './is-low-surrogate.ts'
import { writeMarkdown } from './write-markdown.ts'

/** `type`: the content type as its server says it. */
export type PageTask = { body: Uint8Array; type: string; url: string; offset: number; charactersMax: number }

export type ReadPage = {
  title: string
  /** From `offset` on. */
  text: string
  /** Of the whole text. */
  total: number
  /** False where the page is nested too deep to be read to its end. */
  isWhole: boolean
} | null

/** Null for what is no text. */
serveTasks<ReadPage>((task) => {
  const { body, type, url, offset, charactersMax } = task as PageTask
  const decoded = decode(Buffer.from(body), type)
  if (decoded === null) return null
  const isPage = /\bx?html\b/i.test(type) || (type === '' && /^\s*<(?:!doctype html|html)/i.test(decoded))
  const { title, text, isWhole } = isPage ? writeMarkdown(decoded, url) : { title: '', text: decoded, isWhole: true }
  // No character is cut in two.
  const from = isLowSurrogate(text, offset) ? offset - 1 : offset
  const to = isLowSurrogate(text, offset + charactersMax) ? offset + charactersMax - 1 : offset + charactersMax
  return { title, text: text.slice(from, to), total: text.length, isWhole }
})

/** By what the server says, else what the page says, where that is true; else by its bytes. */
function decode(bytes: Buffer, type: string): string | null {
  const hasMark =
    (bytes[0] === 0xef && bytes[1] === 0xbb) ||
    (bytes[0] === 0xff && bytes[1] === 0xfe) ||
    (bytes[0] === 0xfe && bytes[1] === 0xff)
  const named = hasMark
    ? undefined
    : (charsetIn(type) ?? (/html|xml/i.test(type) ? charsetIn(bytes.subarray(0, 2_048).toString('latin1')) : undefined))
  if (named !== undefined) {
    try {
      return new TextDecoder(named, { fatal: true }).decode(bytes)
    } catch {
      // There is none of that name, or the bytes are not in it.
    }
  }
  return decodeFile(bytes)?.text ?? null
}

const charsetIn = (text: string): string | undefined =>
  /(?:charset|encoding)\s{0,9}=\s{0,9}["']?([\w:.-]{1,40})/i.exec(text)?.[1]
