import type { Client, Operations } from '@runwright/sdk'
import { startGitHubServer, type GitHubServer } from '../../server/test/github-server.ts'
import { until } from './until.ts'

export type ConnectedHosts = {
  github: GitHubServer
  /** A repository of it. */
  storefrontId: number
  /** A pull request there, by its number. */
  elsewhere: number
}

/** A GitHub of its own, connected as an App and by somebody's token; a second App is installed nowhere yet. */
export async function connectHosts(client: Client): Promise<ConnectedHosts> {
  const github = await startGitHubServer()
  const { app, webhookSecret } = github.addApp({ owner: 'fernhill', name: 'Runwright' })
  const { app: newApp } = github.addApp({ owner: 'fernhill-labs', name: 'Runwright Labs' })
  for (const name of ['storefront', 'price-list'])
    await github.addRepository({ owner: 'fernhill', name, files: { 'prices.txt': 'tea 3.20\ncake 4.10\n' } })
  await github.addRepository({ owner: 'ada', name: 'notes' })
  const connect = (body: Partial<Operations['createIntegration']['input']>) =>
    client.organizations.createIntegration({ org_id: 1, type: 'github', base_url: github.apiUrl, ...body })
  const { id } = await connect({
    app_id: app.id,
    private_key: app.pem,
    installation_id: github.install(app, { account: 'fernhill' }).id,
    webhook_secret: webhookSecret,
  })
  await connect({ token: github.addPerson('ada').token })
  await connect({ app_id: newApp.id, private_key: newApp.pem })
  const { id: storefrontId } = await client.repositories.createRepo({
    org_id: 1,
    integration_id: id!,
    full_name: 'fernhill/storefront',
  })
  const run = await client.runs.createRun({
    org_id: 1,
    prompt: 'Tea costs 3.40 from January',
    repo_id: storefrontId,
    agent_type: 'scripted',
    metadata: {
      script: [
        { write: { path: 'prices.txt', content: 'tea 3.40\ncake 4.10\n' } },
        { answer: 'Tea costs 3.40 now; cake stays.', title: 'Tea costs 3.40', body: 'Cake stays at 4.10.' },
      ],
    },
  })
  await until(async () => (await client.runs.getRun({ org_id: 1, agent_run_id: run.id })).status === 'completed')
  const { items } = await client.pullRequests.listPulls({ org_id: 1, run_id: run.id })
  return { github, storefrontId, elsewhere: items[0]!.number }
}
