import { createHash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { GitHubError } from './github-error.ts'
import { answerLfs, readAll, type LfsState } from './serve-lfs.ts'

/**
 * The store of GitHub's large files, at another origin: it takes what it has signed itself and nothing else, so that
 * whoever sends it a token is refused.
 */
export async function storeLfs(state: LfsState, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? '/', state.world.logsUrl)
  await answerLfs(state, { request, response, path: url.pathname }, async () => {
    const content = await readAll(request)
    const { authorization } = request.headers
    const bySignature = /^AWS4-HMAC-SHA256 Signature=(\w+)$/.exec(authorization ?? '')?.[1]
    if (authorization !== undefined && !bySignature) throw new GitHubError(400, 'Unsupported Authorization Type')
    const link = state.world.lfsLinks.get(bySignature ?? url.searchParams.get('sig') ?? '')
    const may = request.method === 'PUT' ? 'upload' : 'download'
    if (link?.may !== may || url.pathname !== `/lfs/${link.oid}`) throw new GitHubError(403, 'SignatureDoesNotMatch')
    const { repository, oid, size } = link
    if (may === 'download') return repository.lfs.get(oid) ?? Promise.reject(new GitHubError(404, 'NoSuchKey'))
    const isIt = content.length === size && createHash('sha256').update(content).digest('hex') === oid
    if (!isIt) throw new GitHubError(400, 'XAmzContentSHA256Mismatch')
    repository.lfs.set(oid, content)
    return {}
  })
}
