import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { HostError, type HostErrorCode } from '#adapters/codehosts/code-host.ts'
import { answerBatch, type ServeLfs } from './answer-batch.ts'
import type { HttpVisit } from './git-gateway.ts'
import { readBody, Refusal, type LfsCall } from './git-request.ts'
import { answerLfs } from './lfs-answer.ts'
import { readLfsRequest } from './read-lfs-request.ts'
import { whyReadOnly } from './refuse-refs.ts'

/**
 * Git LFS beside Git: who may fetch may download, who may push may upload. Its locks are not spoken, which clients take for
 * an answer and do not ask for again.
 */
export function serveLfs(input: ServeLfs): (visit: HttpVisit, call: LfsCall) => Promise<void> {
  return async (visit, call) => {
    try {
      if (call.call === 'batch') await answerBatch(input, visit)
      else if (call.call === 'verify') await verify(input, visit)
      else if (call.call === 'download') await download(input, visit, call.pointer)
      else if (call.call === 'upload') await upload(input, visit, call.pointer)
      else throw new Refusal(501, 'Locks of files are not supported.')
    } catch (error) {
      if (!(error instanceof HostError)) throw error
      throw new Refusal(statuses[error.code] ?? 502, error.message)
    }
  }
}

const statuses: Partial<Record<HostErrorCode, number>> = {
  not_found: 404,
  forbidden: 403,
  invalid: 422,
  too_large: 413,
  storage_full: 507,
  unsupported: 501,
  rate_limited: 503,
  unavailable: 503,
}

const missing = () => new Refusal(404, 'The repository has no such object.')

async function verify({ store }: ServeLfs, visit: HttpVisit): Promise<void> {
  const { objects } = await readLfsRequest(visit)
  const { lfs, ref } = store(visit.repo)
  const found = await lfs.find(ref, objects, { signal: visit.gone })
  if (!objects.every(({ oid, bytes }) => found.get(oid) === bytes)) throw missing()
  answerLfs(visit.response, {})
}

async function upload(input: ServeLfs, visit: HttpVisit, pointer: { oid: string; bytes: number }): Promise<void> {
  const { request, response, repo, grant, gone } = visit
  const against = whyReadOnly(repo, grant)
  if (against) throw new Refusal(403, `Nothing can be uploaded: ${against}.`)
  const announced = Number(request.headers['content-length'] ?? pointer.bytes)
  if (announced !== pointer.bytes) throw new Refusal(422, `The file was to have ${pointer.bytes} bytes.`)
  const about = { repo, runId: grant.runId ?? repo.runId ?? null, bytes: pointer.bytes }
  const full = await input.whyNoRoom(about)
  if (full !== null) throw new Refusal(507, full)
  const { lfs, ref } = input.store(repo)
  const inspect = input.inspect?.(pointer.oid)
  await lfs.put(ref, {
    ...pointer,
    body: readBody(request, gone),
    signal: gone,
    ...(inspect && { inspect }),
    take: async () => {
      await visit.readmit()
      return input.take(about)
    },
  })
  answerLfs(response, {})
}

async function download({ store }: ServeLfs, visit: HttpVisit, pointer: { oid: string; bytes: number }): Promise<void> {
  const { request, response, repo, gone } = visit
  const { lfs, ref } = store(repo)
  const found = await lfs.open(ref, pointer, { signal: gone })
  if (!found) throw missing()
  const { bytes, file } = found
  const range = readRange(request.headers.range, bytes)
  if (range && range.start > range.end)
    throw new Refusal(416, `The object has ${bytes} bytes.`, { 'Content-Range': `bytes */${bytes}` })
  const { start, end } = range ?? { start: 0, end: bytes - 1 }
  response.writeHead(range ? 206 : 200, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': end - start + 1,
    'Accept-Ranges': 'bytes',
    ETag: `"${pointer.oid}"`,
    ...(range && { 'Content-Range': `bytes ${start}-${end}/${bytes}` }),
  })
  if (bytes === 0) response.end()
  else await pipeline(createReadStream(file, { start, end }), response, { signal: gone })
}

/** One range with a beginning; null for all else, which is answered with the whole. */
function readRange(header: string | undefined, bytes: number): { start: number; end: number } | null {
  const [, from, to] = /^bytes=(\d{1,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (from === undefined) return null
  return { start: Number(from), end: Math.min(to ? Number(to) : Infinity, bytes - 1) }
}
