import type { IncomingMessage, ServerResponse } from 'node:http'
import type { App } from '#app/app.ts'
import { admitToken } from './admit-token.ts'
import { gitGateway } from './git-gateway.ts'
import { openGitParts, type GitPartsApp } from './open-git-parts.ts'
import { openLfs } from './open-lfs.ts'

/** The gateway for whoever has a token, with the app behind it. */
export function openGitGateway(
  app: GitPartsApp & Pick<App, 'tokenKeys' | 'publicUrl'>,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  const lfs = openLfs(app, { publicUrl: app.publicUrl })
  return gitGateway({ ...openGitParts(app), admit: admitToken(app), lfs })
}
