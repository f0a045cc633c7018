import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '#app/app.ts'
import { recordPush } from '#domain/hosts/pulls/record-push.ts'
import { whyNotTaken } from '#domain/accounts/storage/take-git-bytes.ts'
import { admitToken } from './admit-token.ts'
import { gitGateway } from './git-gateway.ts'
import { openLfs } from './open-lfs.ts'
import { pushWithGit } from './push-with-git.ts'

/** The gateway for whoever has a token, with the app behind it. */
export function openGitGateway(
  app: Pick<App, 'pool' | 'tokenKeys' | 'logger' | 'publicUrl'> & { hosts: Pick<App['hosts'], 'git' | 'admin'> },
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { pool, hosts, logger, publicUrl } = app
  return gitGateway({
    admit: admitToken(app),
    serveGit: async (repo, request) => {
      // What a run without a repository works in is made when its worker first comes.
      if (repo.id === null) await hosts.admin.createRepository(repo, { defaultBranch: repo.defaultBranch })
      // A mirror is as old as the last look at it.
      else if (request.advertise) await hosts.git(repo).mirror(repo)
      return hosts.admin.serveGit(repo, request)
    },
    push: pushWithGit({
      mirror: (repo) => hosts.git(repo).mirror(repo),
      countRefs: (repo) => hosts.admin.countRefs(repo),
      take: ({ repo: { organizationId, id: repoId }, runId, bytes }) =>
        whyNotTaken(pool, { organizationId, repoId, runId, bytes }),
      onPush: (push) => recordPush(pool, { ...push, hosts }),
    }),
    lfs: openLfs(app, { publicUrl }),
    onError: (error) => logger.error({ err: error }, 'the git gateway failed'),
  })
}
