import { createReadStream } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { lfsLimits } from '#base/hosts/lfs-limits.ts'
import { HostError, type HostErrorCode } from './code-host.ts'
import { readAnswer, type DialOut } from './dial-out.ts'
import type { LfsPointer } from './lfs-store.ts'

export type Dial = (request: Omit<DialOut, 'asker'>) => Promise<IncomingMessage>

/** How a repository is reached; see `GitReach`. */
export type LfsReach = { address: string; authorization: string }

type Link = { href: string; header: Record<string, string> }
/** What a host says of one object. Neither a link nor an error: it has it already, or not at all. */
export type BatchAnswer = { oid: string; download?: Link; upload?: Link; verify?: Link; error?: HostError }

const type = 'application/vnd.git-lfs+json'

/** Asks a host what is to be done with up to a hundred objects. Rejects with a `HostError`. */
export async function askBatch(
  dial: Dial,
  reach: LfsReach,
  request: { operation: 'download' | 'upload'; pointers: readonly LfsPointer[]; signal?: AbortSignal | undefined },
): Promise<BatchAnswer[]> {
  const { operation, pointers, signal } = request
  const base = reach.address.endsWith('.git') ? reach.address : `${reach.address}.git`
  const objects = pointers.map(({ oid, bytes }) => ({ oid, size: bytes }))
  const answer = await dial({
    url: new URL(`${base}/info/lfs/objects/batch`),
    method: 'POST',
    headers: { accept: type, 'content-type': type, authorization: reach.authorization },
    body: JSON.stringify({ operation, transfers: ['basic'], objects, hash_algo: 'sha256' }),
    signal,
  })
  await requireGood(answer)
  return readBatch(reach, (await readAnswer(answer, lfsLimits.answerBytesMax)).toString())
}

/** Nothing of the answer is believed but its form. */
export function readBatch(reach: LfsReach, text: string): BatchAnswer[] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch {
    throw new HostError('unavailable', 'Something else than Git LFS answered for the large files, such as a proxy.')
  }
  const { objects } = fieldsOf(body)
  return (Array.isArray(objects) ? objects : []).map((object) => {
    const { oid, actions, error, authenticated } = fieldsOf(object)
    const links = fieldsOf(actions)
    const linkOf = (name: string) => {
      const link = readLink(links[name])
      if (!link || authenticated === true || 'authorization' in link.header) return link && { [name]: link }
      const isTheirs = URL.parse(link.href)?.origin === new URL(reach.address).origin
      return { [name]: isTheirs ? { ...link, header: { ...link.header, authorization: reach.authorization } } : link }
    }
    const found = { ...linkOf('download'), ...linkOf('upload'), ...linkOf('verify') }
    return { oid: typeof oid === 'string' ? oid : '', ...found, ...(error !== undefined && { error: errorIn(error) }) }
  })
}

/** What a host has against one object, by a status as of HTTP. */
function errorIn(error: unknown): HostError {
  const { code, message } = fieldsOf(error)
  const reason = typeof message === 'string' ? cutReason(message) : 'It says no reason.'
  return new HostError(codeOf(Number(code)), `The host refuses a large file (Git LFS): ${reason}`)
}

const cutReason = (text: string) => text.slice(0, 300)

const fieldsOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}

/** What says how a message is framed is ours to say. */
const ours = new Set(['host', 'content-length', 'transfer-encoding', 'connection', 'expect', 'upgrade'])

function readLink(value: unknown): Link | undefined {
  const { href, header } = fieldsOf(value)
  if (typeof href !== 'string' || !URL.canParse(href)) return undefined
  const headers = Object.entries(fieldsOf(header)).flatMap(([name, text]) => {
    const isFit = /^[A-Za-z0-9-]{1,100}$/.test(name) && typeof text === 'string' && /^[\x20-\x7e]{0,8192}$/.test(text)
    return isFit && !ours.has(name.toLowerCase()) ? [[name.toLowerCase(), text] as const] : []
  })
  return { href, header: Object.fromEntries(headers) }
}

/** The content, as it comes. Who redirects elsewhere is shown nothing that opens anything. */
export async function downloadLfs(
  dial: Dial,
  { href, header }: Link,
  signal: AbortSignal | undefined,
): Promise<IncomingMessage> {
  let url = new URL(href)
  let headers = header
  for (let followed = 0; ; followed++) {
    const answer = await dial({ url, headers, signal, timeoutMs: lfsLimits.transferMs })
    const { location } = answer.headers
    const next = [301, 302, 303, 307, 308].includes(answer.statusCode ?? 0) ? URL.parse(location ?? '', url.href) : null
    if (!next || followed === lfsLimits.redirectsMax) return (await requireGood(answer), answer)
    answer.resume()
    if (next.origin !== url.origin) headers = {}
    url = next
  }
}

/** Sends a file to where the host wants it, and has it verified where the host wants that. */
export async function uploadLfs(
  dial: Dial,
  { upload, verify }: Pick<BatchAnswer, 'upload' | 'verify'>,
  { oid, bytes, file, signal }: LfsPointer & { file: string; signal: AbortSignal | undefined },
): Promise<void> {
  if (!upload) return
  const stored = await dial({
    url: new URL(upload.href),
    method: 'PUT',
    headers: { 'content-type': 'application/octet-stream', ...upload.header, 'content-length': String(bytes) },
    body: createReadStream(file),
    timeoutMs: lfsLimits.transferMs,
    signal,
  })
  await requireGood(stored)
  stored.resume()
  if (!verify) return
  const headers = { accept: type, 'content-type': type, ...verify.header }
  const body = JSON.stringify({ oid, size: bytes })
  const verified = await dial({ url: new URL(verify.href), method: 'POST', headers, body, signal })
  await requireGood(verified)
  verified.resume()
}

async function requireGood(answer: IncomingMessage): Promise<void> {
  const status = answer.statusCode ?? 0
  if (status >= 200 && status < 300) return
  const text = await readAnswer(answer, 64 * 1024).then(String, () => '')
  const reason = messageIn(text)
  const seconds = Number(answer.headers['retry-after'] ?? NaN)
  const message = `The host does not let in large files (Git LFS): ${status}${reason ? ` ${reason}` : ''}.`
  throw new HostError(codeOf(status), message, seconds >= 0 ? { retryInMs: seconds * 1_000 } : {})
}

const codeOf = (status: number): HostErrorCode => codes[status] ?? (status >= 500 ? 'unavailable' : 'invalid')

function messageIn(text: string): string | null {
  try {
    const { message } = fieldsOf(JSON.parse(text))
    return typeof message === 'string' ? cutReason(message) : null
  } catch {
    return null
  }
}

const codes: Record<number, HostErrorCode> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  413: 'too_large',
  429: 'rate_limited',
  501: 'unsupported',
  507: 'storage_full',
}
