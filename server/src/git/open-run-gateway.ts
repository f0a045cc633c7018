import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { admitRun } from './admit-run.ts'
import { gitGateway } from './git-gateway.ts'
import { Refusal } from './git-request.ts'
import { openLfs } from './open-lfs.ts'
import { pushAsRun } from './push-as-run.ts'
import { levelOf } from './refusal-of.ts'

type RunGatewayApp = Parameters<typeof pushAsRun>[0] & { hosts: Pick<App['hosts'], 'admin'> }

/** The Git gateway for sandboxes: each reaches the one repository that its run works in, and needs no token. */
export function openRunGateway(
  app: RunGatewayApp,
): (request: IncomingMessage, response: ServerResponse, visitor: { holder: Holder }) => Promise<void> {
  const { hosts, logger, redactors } = app
  const atWork = new Map<string, number>()
  return async (request, response, { holder }) => {
    const admit = admitRun(app, holder)
    const count = (change: number) => {
      const left = (atWork.get(holder.leaseId) ?? 0) + change
      if (left) atWork.set(holder.leaseId, left)
      else atWork.delete(holder.leaseId)
      return left
    }
    const serve = gitGateway({
      admit: async (asked) => {
        // Git's own programs work for it outside of the sandbox, where none of its limits hold.
        if (count(0) > limits.runGitAtOnceMax)
          throw new Refusal(503, 'Too many git requests are in progress. Try again in a moment.')
        return admit(asked)
      },
      serveGit: async (repo, input) => {
        // Where the host is another machine, what is here is as old as the last look at it.
        if (input.part === 'refs')
          await hosts.git(repo).mirror({ organizationId: repo.organizationId, path: repo.path, holder })
        return hosts.admin.serveGit(repo, { ...input, branchesOnly: true })
      },
      push: pushAsRun(app, holder),
      lfs: openLfs(app, { holder, redactors }),
      onError: (error) =>
        logger[levelOf(error)]({ err: error, runId: holder.runId }, 'the git gateway of a sandbox failed'),
    })
    count(1)
    try {
      await serve(request, response)
    } finally {
      count(-1)
    }
  }
}
