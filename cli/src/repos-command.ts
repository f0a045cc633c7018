import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Command } from 'commander'
import { findRepo } from './find-repo.ts'
import { printJson, printLine, quiet } from './print.ts'
import { pushFolder, requireCommits } from './push-folder.ts'
import type { Settings } from './settings.ts'

type Options = { json?: boolean }

export function addReposCommand(program: Command, settings: () => Settings): void {
  const repos = program
    .command('repos')
    .description('list, add or remove repositories')
    .option('--json', 'print JSON, one repository per line')
    .action(async ({ json }: Options) => list(settings(), json))
  repos
    .command('add')
    .description('add a repository on the built-in Git host')
    .argument('<name>', 'the repository name')
    .option('--from <folder or URL>', 'push the branch checked out in this folder, or import from this URL')
    // `--json` belongs to `repos` too, which takes it wherever it stands.
    .action(async (name: string, { from }: { from?: string }) =>
      add(settings(), { name, from, ...repos.opts<Options>() }),
    )
  repos
    .command('remove')
    .description('delete a repository with all that belongs to it; its runs are kept')
    .argument('<name>', 'the repository name or ID')
    .option('--delete-runs', 'delete its runs, too (ADMIN)')
    .action(async (name: string, { deleteRuns = false }: { deleteRuns?: boolean }) =>
      remove(settings(), { name, deleteRuns }),
    )
}

async function remove(settings: Settings, { name, deleteRuns }: { name: string; deleteRuns: boolean }): Promise<void> {
  const id = await settings.organizationId()
  const repo = await findRepo(settings, id, name)
  await settings.client.repositories.removeRepo({ org_id: id, repo_id: repo, ...(deleteRuns && { delete_runs: true }) })
  printLine(`Repository ${name}  removed`)
}

async function list({ client, organizationId }: Settings, json: boolean | undefined): Promise<void> {
  const id = await organizationId()
  for (let skip = 0; ; skip += 100) {
    const { items } = await client.repositories.listRepos({ org_id: id, skip, limit: 100 })
    for (const repo of items) {
      if (json) printJson(repo)
      else printLine(`${String(repo.id).padStart(6)}  ${repo.name}  ${quiet(repo.git_url)}`)
    }
    if (items.length < 100) return
  }
}

type Add = { name: string; from: string | undefined; json?: boolean }

async function add({ client, organizationId }: Settings, { name, from, json }: Add): Promise<void> {
  const folder = from !== undefined && existsSync(from) ? path.resolve(from) : undefined
  if (folder !== undefined) requireCommits(folder)
  const importFrom = folder === undefined ? from : undefined
  const repo = await client.repositories.createRepo({
    org_id: await organizationId(),
    name,
    ...(importFrom && { import_from: importFrom }),
  })
  const pushed = folder === undefined ? undefined : pushFolder(folder, repo.git_url)
  if (json) return printJson(repo)
  printLine(`Repository ${repo.id}: ${repo.name}  ${quiet(repo.git_url)}`)
  if (pushed) printLine(`Pushed ${pushed.branch}. The folder's remote "${pushed.remote}" pushes and pulls from now on.`)
}
