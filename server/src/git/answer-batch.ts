import type { IncomingMessage } from 'node:http'
import type { RepoRef } from '#adapters/codehosts/code-host.ts'
import type { LfsPointer, LfsStore, PutLfsObject } from '#adapters/codehosts/lfs-store.ts'
import { lfsLimits } from '#base/hosts/lfs-limits.ts'
import type { GatewayRepo } from '#domain/runs/git-access/find-gateway-repo.ts'
import type { HttpVisit } from './git-gateway.ts'
import { Refusal } from './git-request.ts'
import { answerLfs } from './lfs-answer.ts'
import { readLfsRequest } from './read-lfs-request.ts'
import { whyReadOnly } from './refuse-refs.ts'

export type ServeLfs = {
  store: (repo: GatewayRepo) => { lfs: LfsStore; ref: RepoRef }
  /** Counts what is about to stay, or answers what is against it. */
  take(query: { repo: GatewayRepo; runId: number | null; bytes: number }): Promise<string | null>
  /** Answers what is against so many bytes more, and counts nothing. */
  whyNoRoom(query: { repo: GatewayRepo; runId: number | null; bytes: number }): Promise<string | null>
  /** Looks at what a run brings. */
  inspect?: (oid: string) => NonNullable<PutLfsObject['inspect']>
  /** Where people reach the service; null where only a sandbox does. */
  publicUrl: string | null
}

type Answered = { actions?: Record<string, unknown>; error?: { code: number; message: string } }

/** Says where each object of a batch is downloaded from, or uploaded to where it is missing. */
export async function answerBatch(input: ServeLfs, visit: HttpVisit): Promise<void> {
  const { request, response, repo, grant, gone } = visit
  const { operation, objects } = await readLfsRequest(visit)
  const against = operation === 'upload' ? whyReadOnly(repo, grant) : undefined
  if (against) throw new Refusal(403, `Nothing can be uploaded: ${against}.`)
  const { lfs, ref } = input.store(repo)
  const found = await lfs.find(ref, objects, { signal: gone })
  const runId = grant.runId ?? repo.runId ?? null
  const fits = ({ bytes }: LfsPointer) => bytes <= lfsLimits.objectBytesMax
  const coming = objects.filter((object) => operation === 'upload' && !found.has(object.oid) && fits(object))
  const bytes = coming.reduce((sum, object) => sum + object.bytes, 0)
  const full = bytes ? await input.whyNoRoom({ repo, runId, bytes }) : null
  const links = openLinks(input, request)
  const answer = (object: LfsPointer): Answered => {
    const stored = found.get(object.oid)
    if (stored === undefined && operation === 'download') return refused(404, 'The repository has no such object.')
    if (stored !== undefined && stored !== object.bytes) return refused(422, `The object has ${stored} bytes.`)
    if (operation === 'download') return { actions: { download: links(object) } }
    if (stored !== undefined) return {}
    if (!fits(object)) return refused(413, `A file may have ${lfsLimits.objectBytesMax / 2 ** 20} MiB.`)
    return full === null ? { actions: { upload: links(object), verify: links() } } : refused(507, full)
  }
  const answers = objects.map((object) => ({ oid: object.oid, size: object.bytes, ...answer(object) }))
  answerLfs(response, { transfer: 'basic', objects: answers, hash_algo: 'sha256' })
}

const refused = (code: number, message: string): Answered => ({ error: { code, message } })

/**
 * Below the address by which the client has come, with what it has shown for itself: it need not look for its password
 * again.
 */
function openLinks({ publicUrl }: ServeLfs, { headers, url = '' }: IncomingMessage) {
  const { host = '', authorization } = headers
  const origin = publicUrl !== null && URL.parse(publicUrl)?.host === host ? publicUrl : `http://${host}`
  const address = origin + url.slice(0, url.lastIndexOf('/'))
  const header = { ...(authorization !== undefined && { Authorization: authorization }) }
  return (object?: LfsPointer) => ({
    href: object ? `${address}/${object.oid}?size=${object.bytes}` : `${address}/verify`,
    header,
  })
}
