import { mkdtempSync, chmodSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openApp, type App } from '#app/app.ts'
import { readConfig } from '#base/config/config.ts'
import { saveEgress } from '#domain/repos/egress/save-egress.ts'
import { createRepo } from '#domain/repos/repos/create-repo.ts'
import type { Repo } from '#domain/repos/repo.ts'
import { getRun } from '#domain/runs/get-run.ts'
import type { Run, RunIds } from '#domain/runs/run.ts'
import { generateSetupCommands } from '#domain/runs/setup-commands/generate-setup-commands.ts'
import { listSetupProposals } from '#domain/runs/setup-commands/list-setup-proposals.ts'
import type { SetupProposal } from '#domain/runs/setup-commands/setup-proposal.ts'
import { openRunGateway } from '#git/open-run-gateway.ts'
import { openProxy } from '#proxy/open-proxy.ts'
import { Worker } from '#worker/worker.ts'
import { makeRepository } from './example-repository.ts'
import { makeOrganization, makeUser } from './make.ts'
import { testDb } from './test-db.ts'

export type SetupStory = {
  app: App
  organizationId: number
  userId: number
  /** The bare repository, where its git lies. */
  folderOf(repo: Repo): string
  makeRepo(files: Record<string, string>): Promise<Repo>
  /** Has a run look for the setup commands, to its end. */
  find(repo: Repo): Promise<{ run: Run; proposal: SetupProposal | undefined; log: string }>
}

export type StartSetupStory = {
  /** What may be reached from inside. */
  allowed?: string[]
  /** What means this machine there. */
  names?: string[]
  env?: Record<string, string>
}

/**
 * A worker with its real sandboxes and their real proxy, in this process: so the test says what names mean.
 */
export async function startSetupStory({
  allowed = [],
  names = [],
  env: more = {},
}: StartSetupStory): Promise<SetupStory> {
  const db = await testDb()
  const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-setup-'))
  chmodSync(folder, 0o711)
  const env = {
    DATABASE_URL: db.url,
    RUNWRIGHT_DATA_DIR: folder,
    RUNWRIGHT_IMPORT_PATHS: os.tmpdir(),
    RUNWRIGHT_PRIVATE_HOSTS: names.join(),
    RUNWRIGHT_LOG_LEVEL: 'silent',
    ...more,
  }
  const lookup = async (name: string) => (names.includes(name) ? ['127.0.0.1'] : [])
  const opened = { ...(await openApp(readConfig(env, { root: folder }))), names: { lookup } }
  const app = { ...opened, openSandboxProxy: openProxy(opened, { services: { '/git/': openRunGateway(opened) } }) }
  const worker = new Worker(app, { name: 'test', slots: 1, labels: [], version: '0' })
  await worker.start()
  after(async () => {
    await worker[Symbol.asyncDispose]()
    for (const id of await app.sandboxes.list()) await app.sandboxes.remove(id)
    await app[Symbol.asyncDispose]()
    await rm(folder, { recursive: true, force: true })
  })
  const { id: organizationId } = await makeOrganization(app.pool)
  const { id: userId } = await makeUser(app.pool, { organizationId })
  await saveEgress(app.pool, { organizationId, repoId: null, allow: allowed, presets: [] })
  return {
    app,
    organizationId,
    userId,
    folderOf: (repo) => path.join(folder, 'git', repo.path),
    makeRepo: (files) =>
      createRepo(app.pool, { organizationId, admin: app.hosts.admin, importFrom: makeRepository(files) }),
    find: (repo) => find(app, { repo, userId }),
  }
}

async function find(app: App, { repo, userId }: { repo: Repo; userId: number }): ReturnType<SetupStory['find']> {
  const { organizationId, id: repoId } = repo
  const request = { organizationId, userId, repoId, prompt: null, triggerSource: null }
  const { id: runId } = await generateSetupCommands(app.pool, request)
  const run = await untilEnded(app, { organizationId, runId })
  const { items } = await listSetupProposals(app.pool, { organizationId, repoId, skip: 0, limit: 1 })
  const log = await app.pool.query<{ text: string }>(
    `select e::text as text from log_entries e where organization_id = $1 and run_id = $2 order by seq`,
    [organizationId, runId],
  )
  return { run, proposal: items.find((one) => one.runId === runId), log: log.rows.map(({ text }) => text).join('\n') }
}

/** However long it takes: the test's own limit is the only one. */
async function untilEnded(app: App, ids: RunIds): Promise<Run> {
  for (;;) {
    const run = await getRun(app.pool, ids)
    if (['completed', 'failed', 'cancelled'].includes(run.status)) return run
    await delay(50)
  }
}
