import { setTimeout as pause } from 'node:timers/promises'
import type { ByteCache } from '#base/byte-cache.ts'
import type { Asker } from '#base/network/names.ts'
import { keyedMutex } from '#base/concurrency/keyed-mutex.ts'
import type { Dialer } from '#adapters/codehosts/dial-out.ts'
import { readAnswer } from '#adapters/codehosts/dial-out.ts'
import { HostError } from '#adapters/codehosts/code-host.ts'
import { codeHostLimits } from '#adapters/codehosts/limits.ts'

/** As Octokit calls it. */
export type Send = (url: string, request: Sent) => Promise<Response>
type Sent = {
  method?: string
  headers?: Record<string, string>
  body?: string
  redirect?: string
  signal?: AbortSignal
}

/** An answer that is asked for again with its ETag, which costs nothing of what GitHub allows. */
export type KeptAnswer = { etag: string; body: Buffer<ArrayBuffer>; headers: [string, string][] }

export type SendOptions = {
  dialer: Dialer
  /** For whom it asks. */
  asker: Asker
  /** Between two writes. */
  writePauseMs: number
  /** What is known of answers, and under which key it is known: whoever asks with other credentials gets another answer. */
  known?: ByteCache<KeptAnswer>
  keyOf?: (url: string) => string
}

/**
 * Sends the requests of one connection: writes one at a time, and slowly, as GitHub asks for; reads with the ETag of what
 * is known already; after redirects of renamed repositories, within the host. What the host could not answer is tried again,
 * reads after any failure, writes only where they cannot have been done. A host that has had enough of us is waited for, if
 * that is soon.
 */
export function openSend({ dialer, asker, writePauseMs, known, keyOf = String }: SendOptions): Send {
  const inTurn = keyedMutex()

  async function once(url: URL, sent: Sent, redirectsLeft = 3): Promise<Response> {
    const { method = 'GET', headers = {}, body, signal } = sent
    const key = keyOf(`${headers['accept']} ${url.href}`)
    const before = method === 'GET' ? known?.get(key) : undefined
    const asked = { ...headers, ...(before && { 'if-none-match': before.etag }) }
    const answer = await dialer.send({
      url,
      asker,
      method,
      headers: asked,
      ...(body !== undefined && { body }),
      signal,
    })
    const bytes = await readAnswer(answer, codeHostLimits.hostAnswerBytesMax)
    const status = answer.statusCode ?? 0
    const answered = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)])
    if (status === 304 && before) return new Response(before.body, { status: 200, headers: before.headers })
    const { location, etag } = answer.headers
    const isMoved = location !== undefined && [301, 302, 307, 308].includes(status) && sent.redirect !== 'manual'
    if (isMoved) {
      const next = new URL(location, url)
      // The credential is the host's, and nobody else's.
      if (next.origin !== url.origin || redirectsLeft === 0)
        throw new HostError('invalid', `${url.host} leads elsewhere, to ${next.host}.`)
      return once(next, sent, redirectsLeft - 1)
    }
    const content = Buffer.from(bytes)
    if (method === 'GET' && status === 200 && etag)
      known?.set(key, { etag, body: content, headers: answered }, bytes.length)
    return new Response([204, 205, 304].includes(status) ? null : content, { status, headers: answered })
  }

  async function patiently(url: URL, sent: Sent): Promise<Response> {
    const isRead = (sent.method ?? 'GET') === 'GET'
    for (let tries = 1; ; tries++) {
      const isLast = tries === codeHostLimits.hostTriesMax
      try {
        const answer = await once(url, sent)
        const waitMs = answer.status >= 500 && isRead ? tries ** 2 * 300 : waitFor(answer)
        if (waitMs === null || isLast || waitMs > codeHostLimits.hostPatienceMs) return answer
        await pause(waitMs, undefined, { ...(sent.signal && { signal: sent.signal }) })
      } catch (error) {
        if (!(error instanceof HostError) || error.code !== 'unavailable' || !isRead || isLast) throw error
        await pause(tries ** 2 * 300)
      }
    }
  }

  return (url, sent) => {
    const target = new URL(url)
    if ((sent.method ?? 'GET') === 'GET') return patiently(target, sent)
    return inTurn('write', sent.signal, async () => {
      const answer = await patiently(target, sent)
      await pause(writePauseMs)
      return answer
    })
  }
}

/** How long the host wants to be left alone; null where that is not what it says. */
export function waitFor({ status, headers }: Pick<Response, 'status' | 'headers'>): number | null {
  if (status !== 403 && status !== 429) return null
  const after = Number(headers.get('retry-after') ?? NaN)
  if (after >= 0) return after * 1_000
  if (headers.get('x-ratelimit-remaining') !== '0') return status === 429 ? 60_000 : null
  const reset = Number(headers.get('x-ratelimit-reset') ?? NaN)
  // Both are by the host's clock, whatever ours shows.
  const askedAt = Date.parse(headers.get('date') ?? '')
  return reset > 0 && askedAt > 0 ? Math.max(0, reset * 1_000 - askedAt) : 60_000
}
