import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '#app.ts'
import { findDoorRepo } from '#domain/repos/find-door-repo.ts'
import { recordPush } from '#domain/repos/record-push.ts'
import { findGitGrant } from '#domain/tokens/find-git-grant.ts'
import { gitDoor } from './git-door.ts'

/** The door with the app behind it. */
export function openGitDoor(
  app: Pick<App, 'pool' | 'tokenKeys' | 'host' | 'logger'>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { pool, tokenKeys, host, logger } = app
  return gitDoor({
    findRepo: (which) => findDoorRepo(pool, which),
    authenticate: async (secret, at) => (await findGitGrant(pool, tokenKeys, { secret, ...at })) ?? null,
    host: {
      mirror: (repo) => host.mirror(repo),
      serveGit: async (repo, request) => {
        // What a run without a repository works in is made when its worker first comes.
        if (repo.id === null) await host.createRepository(repo, { defaultBranch: repo.defaultBranch })
        return host.serveGit(repo, request)
      },
    },
    onPush: (push) => recordPush(pool, { ...push, store: host }),
    onError: (error) => logger.error({ err: error }, 'the git door failed'),
  })
}
