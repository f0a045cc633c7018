import { AppError } from '#base/errors.ts'
import { connectionOf } from '#domain/hosts/integrations/connection-of.ts'
import { openIntegration } from '#domain/hosts/integrations/open-integration.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { saveHostRepos } from '#domain/repos/repos/save-host-repos.ts'
import { askToConnect } from './ask-to-connect.ts'
import type { HttpApp, HttpDb } from '#http/pipeline/deps.ts'

export type ConnectRepo = { organizationId: number; integrationId: number; fullName: string }

/** Takes a repository of a connected host in. Throws `integration_not_found`, `integration_failed`, `repo_name_taken`. */
export async function connectRepo(
  app: Pick<HttpApp, 'remoteHosts' | 'secretBox'>,
  db: HttpDb,
  { organizationId, integrationId, fullName }: ConnectRepo,
): Promise<Repo> {
  const integration = await openIntegration(db, app.secretBox, { organizationId, integrationId })
  if (!integration) throw new AppError('integration_not_found')
  const host = app.remoteHosts[integration.kind]
  const found = await askToConnect(() => host.findRepository(connectionOf(integration), { fullName }))
  const ids = { organizationId, integrationId, host: integration.kind }
  const { saved } = await saveHostRepos(db, { ...ids, repos: [found], areAll: false })
  const [repo] = saved
  if (!repo) throw new AppError('repo_name_taken')
  return repo
}
