import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** What the server does to requests instead of, or before, answering them well. */
export type S3Fault =
  | { kind: 'status'; status: number; code?: string }
  /** The first half of a body, and then nothing more but the end of the connection. */
  | { kind: 'cut' }
  /** The first half of a body, or nothing, and then silence. */
  | { kind: 'stall'; part: 'answer' | 'body' }
  /** Other bytes than were stored. */
  | { kind: 'damage' }

export type S3Server = AsyncDisposable & {
  url: string
  /** Every object by its key, below the bucket. */
  objects: Map<string, { bytes: Buffer; storedAt: Date }>
  /** `PUT some/key`, as they came. */
  requests: string[]
  /** Played in order, each for one request; an endless one with `times: Infinity`. */
  fail(fault: S3Fault, times?: number): void
  heal(): void
}

export type S3Settings = {
  bucket: string
  region: string
  accessKeyId: string
  secretAccessKey: string
  /** Keys of one page of a list. */
  pageSize?: number
}

export const s3Settings: S3Settings = {
  bucket: 'bucket',
  region: 'eu-test-1',
  accessKeyId: 'ACCESSKEYOFATEST',
  secretAccessKey: 'secret-access-key-of-a-test/with+signs',
}

/** A small store that speaks S3: path style, checks the signature and the digest of each body, lists page by page. */
export async function startS3Server(settings: S3Settings = s3Settings): Promise<S3Server> {
  const objects: S3Server['objects'] = new Map()
  const requests: string[] = []
  let faults: S3Fault[] = []
  let lasting: S3Fault | undefined
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => refuse(response, 500, `Bug${String(error)}`))
  })
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>))
    const url = new URL(request.url ?? '/', 'http://store')
    const [bucket, ...names] = url.pathname.slice(1).split('/').map(decodeURIComponent)
    const key = names.join('/')
    requests.push(`${request.method} ${key}`)
    const fault = faults.shift() ?? lasting
    if (fault?.kind === 'status') return refuse(response, fault.status, fault.code ?? 'Told')
    if (fault?.kind === 'stall' && fault.part === 'answer') return
    const reason = whyRefused(settings, { request, url, body })
    if (reason) return refuse(response, 403, reason)
    if (bucket !== settings.bucket) return refuse(response, 404, 'NoSuchBucket')
    if (request.method === 'GET' && !key)
      return sendList(response, { url, objects, pageSize: settings.pageSize ?? 1000 })
    if (request.method === 'PUT') {
      objects.set(key, { bytes: body, storedAt: new Date() })
      return void response.writeHead(200, { 'content-length': 0 }).end()
    }
    if (request.method === 'DELETE') {
      objects.delete(key)
      return void response.writeHead(204).end()
    }
    const object = objects.get(key)
    if (!object) return refuse(response, 404, 'NoSuchKey')
    sendObject(response, object.bytes, fault)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects,
    requests,
    fail: (fault, times = 1) => {
      if (times === Infinity) lasting = fault
      else faults.push(...Array.from({ length: times }, () => fault))
    },
    heal: () => {
      faults = []
      lasting = undefined
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function sendObject(response: ServerResponse, stored: Buffer, fault: S3Fault | undefined): void {
  const bytes = fault?.kind === 'damage' ? Buffer.from(stored.map((byte) => byte ^ 1)) : stored
  response.writeHead(200, { 'content-length': bytes.length })
  if (fault?.kind !== 'cut' && fault?.kind !== 'stall') return void response.end(bytes)
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => {
    if (fault.kind === 'cut') response.destroy()
  })
}

type SendList = { url: URL; objects: S3Server['objects']; pageSize: number }

function sendList(response: ServerResponse, { url, objects, pageSize }: SendList): void {
  const prefix = url.searchParams.get('prefix') ?? ''
  const after = url.searchParams.get('continuation-token')?.replace(/^after &\+ /, '') ?? ''
  const keys = [...objects.keys()].filter((key) => key.startsWith(prefix) && key > after).toSorted()
  const page = keys.slice(0, Math.min(pageSize, Number(url.searchParams.get('max-keys') ?? pageSize)))
  const contents = page.map((key) => {
    const { bytes, storedAt } = objects.get(key)!
    return `<Contents><Key>${key}</Key><LastModified>${storedAt.toISOString()}</LastModified><Size>${bytes.length}</Size></Contents>`
  })
  const hasMore = page.length < keys.length
  // A token is any text to its receiver.
  const next = hasMore ? `<NextContinuationToken>after &amp;+ ${page.at(-1)}</NextContinuationToken>` : ''
  const text = `<?xml version="1.0"?>\n<ListBucketResult><IsTruncated>${hasMore}</IsTruncated>${contents.join('')}${next}</ListBucketResult>`
  response.writeHead(200, { 'content-type': 'application/xml' }).end(text)
}

function refuse(response: ServerResponse, status: number, code: string): void {
  if (response.headersSent) return void response.destroy()
  const text = `<?xml version="1.0"?>\n<Error><Code>${code}</Code><Message>No.</Message></Error>`
  response.writeHead(status, { 'content-type': 'application/xml' }).end(text)
}

type Signed = { request: IncomingMessage; url: URL; body: Buffer }

/** AWS's signature version 4, made anew from what came. */
function whyRefused(settings: S3Settings, { request, url, body }: Signed): string | undefined {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, SignedHeaders=([^,]+), Signature=([0-9a-f]{64})$/
  const [, id, day, region, names = '', signature] = form.exec(request.headers.authorization ?? '') ?? []
  if (!id || !day) return 'AccessDenied'
  if (id !== settings.accessKeyId) return 'InvalidAccessKeyId'
  if (region !== settings.region) return 'AuthorizationHeaderMalformed'
  const signed = names.split(';')
  if (!['host', 'x-amz-content-sha256', 'x-amz-date'].every((name) => signed.includes(name))) return 'AccessDenied'
  const date = String(request.headers['x-amz-date'])
  const skewMs = Math.abs(
    Date.parse(date.replace(/(\d{4})(\d\d)(\d\dT\d\d)(\d\d)(\d\dZ)/, '$1-$2-$3:$4:$5')) - Date.now(),
  )
  if (!date.startsWith(day) || !(skewMs < 15 * 60_000)) return 'RequestTimeTooSkewed'
  const digest = sha256(body)
  if (request.headers['x-amz-content-sha256'] !== digest) return 'XAmzContentSHAMismatch'
  const query = [...url.searchParams].map((pair) => pair.map(encode).join('=')).toSorted()
  const canonical = [
    request.method,
    url.pathname
      .split('/')
      .map((part) => encode(decodeURIComponent(part)))
      .join('/'),
    query.join('&'),
    ...signed.map((name) => `${name}:${String(request.headers[name]).trim()}`),
    '',
    names,
    digest,
  ].join('\n')
  const scope = `${day}/${region}/s3/aws4_request`
  const text = ['AWS4-HMAC-SHA256', date, scope, sha256(Buffer.from(canonical))].join('\n')
  const key = [day, settings.region, 's3', 'aws4_request'].reduce<Buffer>(
    (known, part) => hmac(known, part),
    Buffer.from(`AWS4${settings.secretAccessKey}`),
  )
  return hmac(key, text).toString('hex') === signature ? undefined : 'SignatureDoesNotMatch'
}

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
