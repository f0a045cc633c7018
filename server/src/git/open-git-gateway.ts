import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '#app/app.ts'
import { recordPush } from '#domain/hosts/pulls/record-push.ts'
import { whyNotTaken } from '#domain/accounts/storage/take-git-bytes.ts'
import { admitToken } from './admit-token.ts'
import { gitGateway } from './git-gateway.ts'
import { pushWithGit } from './push-with-git.ts'

/** The gateway for whoever has a token, with the app behind it. */
export function openGitGateway(
  app: Pick<App, 'pool' | 'tokenKeys' | 'host' | 'logger'>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { pool, host, logger } = app
  return gitGateway({
    admit: admitToken(app),
    serveGit: async (repo, request) => {
      // What a run without a repository works in is made when its worker first comes.
      if (repo.id === null) await host.createRepository(repo, { defaultBranch: repo.defaultBranch })
      // A mirror is as old as the last look at it.
      else if (request.advertise) await host.mirror(repo)
      return host.serveGit(repo, request)
    },
    push: pushWithGit({
      mirror: (repo) => host.mirror(repo),
      countRefs: (repo) => host.countRefs(repo),
      take: ({ repo: { organizationId, id: repoId }, runId, bytes }) =>
        whyNotTaken(pool, { organizationId, repoId, runId, bytes }),
      onPush: (push) => recordPush(pool, { ...push, store: host }),
    }),
    onError: (error) => logger.error({ err: error }, 'the git gateway failed'),
  })
}
