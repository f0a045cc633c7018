import { openAsBlob } from 'node:fs'
import { Readable } from 'node:stream'
import { blobPath, parseBlobPath } from './blob-path.ts'
import { BlobDamaged, type BlobContent, type BlobKey, type BlobStore, type ListedBlob } from './blob-store.ts'
import { digestOf } from './digest-of.ts'
import { S3Client, type S3Answer, type S3Options } from './s3-client.ts'

export type S3BlobsOptions = S3Options & {
  /** What every key begins with; empty, or without slashes at its ends. */
  prefix: string
}

/** Blobs in a bucket of any store that speaks S3. */
export function openS3Blobs(options: S3BlobsOptions): BlobStore {
  const client = new S3Client(options)
  const root = options.prefix && `${options.prefix}/`
  const keyOf = (key: BlobKey) => `${root}${blobPath(key)}`
  return {
    put: (organizationId, content) => put(client, { content, keyOf: (sha256) => keyOf({ organizationId, sha256 }) }),
    get: async (key) => get(client, { key, at: keyOf(key) }),
    open: async (key) => client.ask({ method: 'GET', key: keyOf(key) }, opened),
    delete: async (key) => client.ask({ method: 'DELETE', key: keyOf(key) }, drained),
    list: () => list(client, root),
    probe: () =>
      client.ask({ method: 'GET', query: { 'list-type': '2', 'max-keys': '1' }, isTriedOnce: true }, drained),
  }
}

type Put = { content: BlobContent; keyOf: (sha256: string) => string }

async function put(client: S3Client, { content, keyOf }: Put): Promise<{ sha256: string; bytes: number }> {
  const stored = await digestOf(content)
  const open = async () => (content instanceof Uint8Array ? content : openAsBlob(content.file))
  await client.ask({ method: 'PUT', key: keyOf(stored.sha256), body: { ...stored, open } }, drained)
  return stored
}

async function get(client: S3Client, { key, at }: { key: BlobKey; at: string }): Promise<Buffer | undefined> {
  return client.ask({ method: 'GET', key: at }, async ({ response, read }) => {
    if (!response.ok) return undefined
    const bytes = Buffer.concat(await Array.fromAsync(read()))
    if ((await digestOf(bytes)).sha256 !== key.sha256) throw new BlobDamaged(key)
    return bytes
  })
}

async function opened({ response, read }: S3Answer) {
  if (!response.ok) return undefined
  return {
    bytes: Number(response.headers.get('content-length')),
    content: Readable.from(read(), { objectMode: false }),
  }
}

async function drained({ response, read }: S3Answer): Promise<void> {
  if (response.ok) await Array.fromAsync(read())
}

async function* list(client: S3Client, root: string): AsyncGenerator<ListedBlob> {
  let more: string | undefined
  do {
    const query = { 'list-type': '2', prefix: root, ...(more !== undefined && { 'continuation-token': more }) }
    const page = await client.ask({ method: 'GET', query }, async ({ read }) =>
      Buffer.concat(await Array.fromAsync(read())).toString(),
    )
    for (const part of page.split('<Contents>').slice(1)) {
      const [entry = ''] = part.split('</Contents>', 1)
      const path = fieldOf(entry, 'Key')
      const key = path?.startsWith(root) ? parseBlobPath(path.slice(root.length)) : undefined
      if (!key) continue
      yield { ...key, bytes: Number(fieldOf(entry, 'Size')), storedAt: new Date(fieldOf(entry, 'LastModified') ?? 0) }
    }
    more = fieldOf(page, 'NextContinuationToken')
  } while (more !== undefined)
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/** What stands between the first tags of this name. */
function fieldOf(xml: string, name: string): string | undefined {
  const from = xml.indexOf(`<${name}>`)
  const begin = from + name.length + '<>'.length
  const text = from < 0 ? undefined : xml.slice(begin, xml.indexOf('<', begin))
  return text?.replace(/&(amp|lt|gt|quot|apos);/g, (whole, entity: string) => entities[entity] ?? whole)
}
