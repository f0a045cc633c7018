import type { IncomingMessage } from 'node:http'
import type { App } from '#app/app.ts'
import { findHeldRepo } from '#domain/runs/git-access/find-held-repo.ts'
import type { Holder } from '#domain/runs/holder.ts'
import type { Admitted } from './git-gateway.ts'
import { notFound, readGitRequest, Refusal } from './git-request.ts'

/**
 * Admits the sandbox of a run to the repository that the run works in, for as long as the run is held. Which run it is the
 * socket says by which the request came, so nothing in the request needs to prove it.
 */
export function admitRun({ pool }: Pick<App, 'pool'>, holder: Holder): (request: IncomingMessage) => Promise<Admitted> {
  return async (request) => {
    const gitRequest = readGitRequest(request)
    const held = await findHeldRepo(pool, holder)
    if (!held) throw new Refusal(403, 'The run is no longer in progress here.')
    const { repo, name, branch } = held
    const isOwn =
      gitRequest.organizationId === repo.organizationId && gitRequest.repoName.toLowerCase() === name.toLowerCase()
    if (!isOwn) throw notFound()
    const pushBranches = branch === null ? [] : [branch]
    return { gitRequest, repo, grant: { userId: null, runId: holder.runId, pushBranches } }
  }
}
