import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Repository } from '@runwright/sdk'
import { pushFolder } from './push-folder.ts'
import type { Settings } from './settings.ts'
import type { Task, TaskFile } from './read-tasks.ts'

/** The repository of a task on the built-in host. It has its files in its name, so that it is made once for all leagues. */
export async function takeRepository({ client }: Settings, organizationId: number, task: Task): Promise<number> {
  const name = `league-${task.name}-${digestOf(task.repository)}`
  const repo =
    (await findRepository(client, organizationId, name)) ??
    (await client.repositories.createRepo({ org_id: organizationId, name }))
  const { total } = await client.repositories.listBranches({ org_id: organizationId, repo_id: repo.id, limit: 1 })
  if (total === 0) push(task, repo.git_url)
  return repo.id
}

async function findRepository(
  client: Settings['client'],
  organizationId: number,
  name: string,
): Promise<Repository | undefined> {
  for (let skip = 0; ; skip += 100) {
    const { items } = await client.repositories.listRepos({ org_id: organizationId, skip, limit: 100 })
    const found = items.find((repo) => repo.name === name)
    if (found || items.length < 100) return found
  }
}

function digestOf(files: readonly TaskFile[]): string {
  const hash = createHash('sha256')
  for (const { path: file, bytes } of files) hash.update(`${file}\0${bytes.length}\0`).update(bytes)
  return hash.digest('hex').slice(0, 8)
}

/** As one commit. */
function push({ repository }: Task, gitUrl: string): void {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-league-'))
  try {
    for (const { path: file, bytes } of repository) {
      mkdirSync(path.dirname(path.join(folder, file)), { recursive: true })
      writeFileSync(path.join(folder, file), bytes)
    }
    const git = (...words: string[]) => execFileSync('git', ['-C', folder, ...words], { stdio: 'pipe' })
    git('init', '-q', '-b', 'main')
    git('add', '-A', '--force')
    const author = ['-c', 'user.name=Runwright league', '-c', 'user.email=league@localhost']
    git(...author, '-c', 'commit.gpgsign=false', 'commit', '-q', '-m', 'Begin')
    pushFolder(folder, gitUrl)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
