import type { IncomingMessage } from 'node:http'
import type { App } from '#app/app.ts'
import { findGatewayRepo } from '#domain/runs/git-access/find-gateway-repo.ts'
import { findGitGrant } from '#domain/accounts/tokens/find-git-grant.ts'
import type { Admitted } from './git-gateway.ts'
import { notFound, readGitRequest, readSecret, Refusal } from './git-request.ts'

/** Admits whoever shows a token that is good for the repository. */
export function admitToken({
  pool,
  tokenKeys,
}: Pick<App, 'pool' | 'tokenKeys'>): (request: IncomingMessage) => Promise<Admitted> {
  return async (request) => {
    const gitRequest = readGitRequest(request)
    const { organizationId, repoName } = gitRequest
    const secret = readSecret(request)
    const repo = await findGatewayRepo(pool, { organizationId, name: repoName })
    const at = { organizationId, repoId: repo?.id ?? null, runId: repo?.runId ?? null }
    const grant = secret ? await findGitGrant(pool, tokenKeys, { secret, ...at }) : undefined
    if (!grant) {
      throw new Refusal(401, 'A token is needed: give it as the password.', {
        'WWW-Authenticate': 'Basic realm="Runwright"',
      })
    }
    // The same answer whether it is not there or not theirs.
    if (grant === 'elsewhere' || !repo) throw notFound()
    return { gitRequest, repo, grant }
  }
}
