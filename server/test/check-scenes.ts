import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after } from 'node:test'
import { openApp, type App } from '#app/app.ts'
import { readConfig } from '#base/config/config.ts'
import { one } from '#db/pool.ts'
import { listChecks } from '#domain/hosts/checks/list-checks.ts'
import { openPull } from '#domain/hosts/pulls/open-pull.ts'
import { createRepo } from '#domain/repos/repos/create-repo.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { updateRepo } from '#domain/repos/repos/update-repo.ts'
import { openProxy } from '#proxy/open-proxy.ts'
import { commitTo } from '#test/commit-to.ts'
import { makeRun } from '#test/make-run.ts'
import { unique } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { claimJobs } from '#domain/hosts/jobs/claim-jobs.ts'
import { startCheck } from '#domain/hosts/checks/start-check.ts'
import { workOff } from '#test/work-off.ts'
import { jobTypes } from '#worker/hosts/jobs.ts'
import { JobRunner } from '#worker/jobs/job-runner.ts'

export const never = new AbortController().signal

export type Scene = {
  organizationId: number
  repoId: number
  repository: string
  pullId: number
  branch: string
  commit: string
}

/** A worker's app without its loops, with what its checks run over: what is done is done where a test says so. */
export async function openCheckScenes() {
  const { app, db, checks } = await testWorker()

  /** A repository with these checks, and a pull request that is open. */
  async function makeScene(command: string, { name = 'test', setup = null as string | null } = {}): Promise<Scene> {
    const run = await makeRun(db)
    const { organizationId } = run
    const repo = await createRepo(db, { organizationId, admin: app.hosts.admin, name: unique('repo') })
    const repository = path.join(app.config.dataDir, 'git', repo.path)
    commitTo(repository, { branch: 'main', files: { 'a.txt': 'a\n' } })
    await configure({ organizationId, repoId: repo.id }, { name, command }, setup)
    const branch = unique('work')
    const commit = commitTo(repository, { branch, from: 'main', files: { 'b.txt': 'b\n' } })
    const head = { headBranch: branch, baseBranch: 'main', headCommit: commit }
    const ids = { organizationId, repoId: repo.id }
    const { pull } = await openPull(db, { ...ids, runId: run.id, title: 't', body: '', ...head, publicUrl: '' })
    return { ...ids, repository, pullId: pull.id, branch, commit }
  }

  async function configure(
    ids: { organizationId: number; repoId: number },
    check: { name: string; command: string },
    setupCommands: string | null = null,
  ): Promise<void> {
    const unchanged = { description: undefined, archived: undefined, labels: undefined, defaultModels: undefined }
    const others = { environmentSecrets: undefined, acceptSetupCommands: undefined }
    await updateRepo(db, { ...ids, ...unchanged, ...others, setupCommands, checkCommands: [check] })
  }

  /** Until nothing is left to be done about what has happened. */
  async function handleEvents(): Promise<void> {
    await workOff(app, { kinds: ['host_event'] })
  }

  async function drain(): Promise<void> {
    do {
      await handleEvents()
      while (await checks.begin(never)) await checks.ended()
      await checks.ended()
    } while (await waiting())
  }

  const waiting = async () =>
    (
      await one<{ n: number }>(
        db,
        `select count(*) as n from checks where command is not null and status <> 'completed'`,
      )
    ).n

  /** A check that another worker runs, which is lost with it once its claim has run out. */
  async function claimCheck() {
    const { enforcement } = app.sandboxes
    const [job] = await claimJobs(db, {
      room: { check: 1 },
      workerId: null,
      organizationId: null,
      labels: [],
      enforcement,
    })
    return job && startCheck(db, job)
  }

  const loseClaims = () =>
    db.query(`update jobs set claimed_until = now() - interval '1 second' where claimed_until is not null`)

  async function checkOf(scene: Scene, commit = scene.commit) {
    const { checks } = await listChecks(db, { ...scene, commit })
    assert.ok(checks.length <= 1)
    return checks[0]
  }

  async function logOf(scene: Scene): Promise<string> {
    const repo = await getRepo(db, scene)
    const { checks } = await app.hosts.forge(repo).listChecks(repo, scene.commit)
    return (await app.hosts.forge(repo).readCheckLog(repo, checks[0]!, { bytesMax: 1_000_000 })) ?? ''
  }

  return { app, db, checks, claimCheck, loseClaims, makeScene, handleEvents, drain, checkOf, logOf }
}

/** All that a worker has, without its loops: what is done is done where a test says so. */
async function testWorker(): Promise<{ app: App; db: App['pool']; checks: JobRunner }> {
  const { url } = await testDb()
  const dataDir = mkdtempSync(path.join(os.tmpdir(), 'runwright-checks-'))
  chmodSync(dataDir, 0o711)
  const env = {
    DATABASE_URL: url,
    RUNWRIGHT_DATA_DIR: dataDir,
    RUNWRIGHT_LOG_LEVEL: 'silent',
    RUNWRIGHT_PRIVATE_HOSTS: 'allowed.test',
  }
  const lookup = async (name: string) => (name === 'allowed.test' ? ['127.0.0.1'] : [])
  const opened = { ...(await openApp(readConfig(env, { root: dataDir }))), names: { lookup } }
  const openSandboxProxy = openProxy(opened, {
    services: { '/git/': async (_, response) => void response.end('the Git gateway') },
  })
  const app = { ...opened, openSandboxProxy }
  const checks = openChecks(app)
  after(async () => {
    await checks[Symbol.asyncDispose]()
    await opened[Symbol.asyncDispose]()
    await rm(dataDir, { recursive: true, force: true })
  })
  return { app, db: opened.pool, checks }
}

/** What does the checks of one worker. */
export const openChecks = (app: App) => new JobRunner(app, { types: { check: jobTypes.check }, workerId: null })
