import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '#app.ts'
import { findRepoByName } from '#domain/repos/find-repo-by-name.ts'
import { recordPush } from '#domain/repos/record-push.ts'
import { findGitGrant } from '#domain/tokens/find-git-grant.ts'
import { gitDoor } from './git-door.ts'

/** The door with the app behind it. */
export function openGitDoor(
  app: Pick<App, 'pool' | 'tokenKeys' | 'host' | 'logger'>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const { pool, tokenKeys, host, logger } = app
  return gitDoor({
    findRepo: (which) => findRepoByName(pool, which),
    authenticate: async (secret, at) => (await findGitGrant(pool, tokenKeys, { secret, ...at })) ?? null,
    host,
    onPush: (push) => recordPush(pool, { ...push, store: host }),
    onError: (error) => logger.error({ err: error }, 'the git door failed'),
  })
}
