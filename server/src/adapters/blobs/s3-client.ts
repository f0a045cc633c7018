import { AwsV4Signer } from 'aws4fetch'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '#base/clock.ts'
import type { Secret } from '#base/secrets/secret.ts'
import { BlobDamaged, BlobsUnavailable } from './blob-store.ts'

export type S3Options = {
  /** Without a slash at the end. */
  endpoint: string
  region: string
  bucket: string
  accessKeyId: Secret
  secretAccessKey: Secret
  /** A store refuses what was signed at another time than it has, by some minutes. */
  clock: Clock
  timing?: Partial<S3Timing>
}

export type S3Timing = {
  /** How long until an answer begins; for a body that is sent, a second more for each MiB. */
  answerMs: number
  /** How long an answer may stop in the middle. */
  stallMs: number
  /** How long to wait before each further try. */
  retryMs: readonly number[]
}

export type S3Request = {
  method: 'GET' | 'PUT' | 'DELETE'
  /** Below the bucket; empty for the bucket itself. */
  key?: string
  query?: Record<string, string>
  /** Made anew for each try. */
  body?: { sha256: string; bytes: number; open: () => Promise<Blob | Uint8Array> }
  isTriedOnce?: boolean
}

export type S3Answer = { response: Response; read: () => AsyncGenerator<Uint8Array> }

const timingDefault: S3Timing = { answerMs: 10_000, stallMs: 20_000, retryMs: [200, 800, 3_200] }
const nothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'

/** What an S3-compatible store answered that another try may answer otherwise. */
class Passing extends Error {}

/**
 * Requests to one bucket, path style, each signed (version 4) with the digest of its body. Redirects are not followed: a
 * signature is good for one host.
 */
export class S3Client {
  readonly #options: S3Options
  readonly #timing: S3Timing

  constructor(options: S3Options) {
    this.#options = options
    this.#timing = { ...timingDefault, ...options.timing }
  }

  /**
   * Answers what `take` makes of the answer. Whatever fails on the way, inside `take` too, is tried again while that may
   * help; then it rejects with `BlobsUnavailable`.
   */
  async ask<T>(request: S3Request, take: (answer: S3Answer) => Promise<T>): Promise<T> {
    const waits = request.isTriedOnce ? [] : this.#timing.retryMs
    for (let tries = 0; ; tries++) {
      try {
        return await take(await this.#send(request))
      } catch (error) {
        if (error instanceof BlobsUnavailable || error instanceof BlobDamaged) throw error
        const wait = waits[tries]
        if (wait === undefined) throw this.#unavailable(`cannot be reached: ${reasonOf(error)}`, error)
        await sleep(wait)
      }
    }
  }

  async #send(request: S3Request): Promise<S3Answer> {
    const { method, key = '', query = {}, body } = request
    const { endpoint, bucket, region, accessKeyId, secretAccessKey, clock } = this.#options
    const url = new URL(`${endpoint}/${bucket}${key && `/${key}`}`)
    url.search = new URLSearchParams(query).toString()
    const { headers } = await new AwsV4Signer({
      method,
      url: url.href,
      headers: { 'x-amz-content-sha256': body?.sha256 ?? nothing },
      accessKeyId: accessKeyId.reveal(),
      secretAccessKey: secretAccessKey.reveal(),
      region,
      service: 's3',
      datetime: clock
        .now()
        .toISOString()
        .replaceAll(/[:-]|\.\d{3}/g, ''),
    }).sign()
    const stop = new AbortController()
    const answerMs = this.#timing.answerMs + Math.ceil((body?.bytes ?? 0) / 2 ** 20) * 1_000
    const timer = setTimeout(() => stop.abort(new Passing('it did not answer in time')), answerMs)
    try {
      const content = body && ((await body.open()) as Blob | Uint8Array<ArrayBuffer>)
      const init: RequestInit = { method, headers, redirect: 'manual', signal: stop.signal }
      const response = await fetch(url, content ? { ...init, body: content } : init)
      await this.#check(response)
      return { response, read: () => readOn(response, stop, this.#timing.stallMs) }
    } finally {
      clearTimeout(timer)
    }
  }

  /** Lets pass what worked, and that there is no such key. */
  async #check(response: Response): Promise<void> {
    if (response.ok) return
    // Nothing else of the answer is passed on: it may repeat what was sent.
    const code = /<Code>([A-Za-z]{1,64})<\/Code>/.exec(await response.text().catch(() => ''))?.[1] ?? ''
    const { status } = response
    if (status === 404 && code !== 'NoSuchBucket') return
    const reply = `${status}${code && ` ${code}`}`
    if (status >= 500 || status === 429 || status === 408) throw new Passing(`it answered ${reply}`)
    if (status === 404) throw this.#unavailable(`does not exist (${reply}): check RUNWRIGHT_BLOBS`)
    if (code === 'RequestTimeTooSkewed')
      throw this.#unavailable(`has another time (${reply}): set the clock of PostgreSQL's machine`)
    if (status === 403 || status === 401)
      throw this.#unavailable(`refuses access (${reply}): check RUNWRIGHT_S3_ACCESS_KEY_ID, its secret and its rights`)
    if (status < 400 || status === 400)
      throw this.#unavailable(
        `does not take the request (${reply}): check RUNWRIGHT_S3_ENDPOINT and RUNWRIGHT_S3_REGION`,
      )
    throw this.#unavailable(`does not take the request (${reply})`)
  }

  #unavailable(words: string, cause?: unknown): BlobsUnavailable {
    const { endpoint, bucket } = this.#options
    return new BlobsUnavailable(
      `The blob store ${bucket} at ${endpoint} ${words}.`,
      cause === undefined ? {} : { cause },
    )
  }
}

/** The body, as long as it goes on; the time that its reader takes does not count. */
async function* readOn(response: Response, stop: AbortController, stallMs: number): AsyncGenerator<Uint8Array> {
  const reader = (response.body ?? new Blob([]).stream()).getReader()
  try {
    for (;;) {
      const timer = setTimeout(() => stop.abort(new Passing('it stopped in the middle of its answer')), stallMs)
      const { done, value } = await reader.read().finally(() => clearTimeout(timer))
      if (done) return
      yield value
    }
  } finally {
    stop.abort()
  }
}

function reasonOf(error: unknown): string {
  const { cause, message, code } = error as Error & { code?: string }
  return cause instanceof Error ? reasonOf(cause) : (code ?? message)
}
