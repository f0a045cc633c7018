import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { one } from '#db/pool.ts'
import { updateOrganization } from '#domain/accounts/organizations/update-organization.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import type { Repo } from '#domain/repos/repo.ts'
import type { Run } from '#domain/runs/run.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { makeOrganization, makeUser } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { acceptSetupProposal } from './accept-setup-proposal.ts'
import { findAcceptedTest } from './find-accepted-test.ts'
import { generateSetupCommands } from './generate-setup-commands.ts'
import { hashLockfiles } from './hash-lockfiles.ts'
import { listSetupProposals } from './list-setup-proposals.ts'
import { markSetupOutdated } from './mark-setup-outdated.ts'
import { saveSetupProposal, type SaveSetupProposal } from './save-setup-proposal.ts'
import { scriptOf, type SetupProposal } from './setup-proposal.ts'

const db = await testDb()

async function makeRepo(): Promise<Repo & { userId: number }> {
  const { id: organizationId } = await makeOrganization(db)
  const { id: userId } = await makeUser(db, { organizationId })
  const { id: repoId } = await one<{ id: number }>(
    db,
    `insert into repos (organization_id, host, name, path, default_branch) values ($1, 'local', 'shop', 'x', 'main') returning id`,
    [organizationId],
  )
  return { ...(await getRepo(db, { organizationId, repoId })), userId }
}

/** What a run of its own has found. */
async function find(repo: Repo & { userId: number }, found: Partial<SaveSetupProposal> = {}): Promise<SetupProposal> {
  const { organizationId, userId, id: repoId } = repo
  const { holder } = await makeHeldRun(db, { organizationId, userId })
  const plain = { commands: ['npm ci'], testCommand: 'npm test', notes: '', evidence: [], baseCommit: 'c' }
  return saveSetupProposal(db, { holder, repoId, ...plain, lockfiles: { 'package-lock.json': 'a' }, ...found })
}

const accept = (repo: Repo, n: number, addCheck = false) =>
  acceptSetupProposal(db, { organizationId: repo.organizationId, repoId: repo.id, n, userId: null, addCheck })
const read = (repo: Repo) => getRepo(db, { organizationId: repo.organizationId, repoId: repo.id })
const states = async ({ organizationId, id: repoId }: Repo) => {
  const { items } = await listSetupProposals(db, { organizationId, repoId, skip: 0, limit: 10 })
  return items.map(({ n, state }) => `${n} ${state}`)
}

test('the status of a repository follows its runs and what becomes of what they find', async () => {
  const repo = await makeRepo()
  assert.equal((await read(repo)).setupStatus, '')
  const { organizationId, userId, id: repoId } = repo
  const run = await generateSetupCommands(db, { organizationId, userId, repoId, prompt: null, triggerSource: 'a test' })
  assert.partialDeepStrictEqual(run, {
    sourceType: 'SETUP_COMMANDS',
    agentType: 'setup',
    metadata: { has_prompt: false, trigger_source: 'a test' },
    createPullRequest: false,
  })
  assert.equal((await read(repo)).setupStatus, 'generating')
  await db.query(`update run_heads set status = 'cancelled' where organization_id = $1 and run_id = $2`, [
    organizationId,
    run.id,
  ])
  assert.equal((await read(repo)).setupStatus, 'failed')
})

test('however many ask at once for a repository, one run looks; what it was not told is not lost in silence', async () => {
  const { organizationId, userId, id: repoId } = await makeRepo()
  const ask = (prompt: string | null = null) =>
    generateSetupCommands(db, { organizationId, userId, repoId, prompt, triggerSource: null })
  const runs = await Promise.all(Array.from({ length: 10 }, () => ask()))
  const [{ id }] = runs as [Run]
  assert.deepEqual(new Set(runs.map((run) => run.id)), new Set([id]))
  const { n } = await one<{ n: number }>(db, 'select count(*) as n from runs where organization_id = $1', [
    organizationId,
  ])
  assert.equal(n, 1)
  await assert.rejects(ask('It needs Java 21.'), { code: 'conflict', message: new RegExp(`^Run ${id} is looking`) })
  await db.query(`update run_heads set status = 'cancelled' where organization_id = $1 and run_id = $2`, [
    organizationId,
    id,
  ])
  const report = await ask('It needs Java 21.')
  assert.notEqual(report.id, id)
  assert.deepEqual([(await ask('It needs Java 21.')).id, (await ask()).id], [report.id, report.id])
})

test('a proposal is accepted by a person, and its commands become the repository’s', async () => {
  const repo = await makeRepo()
  await find(repo, { commands: ['cd web && npm ci', 'make deps'] })
  assert.partialDeepStrictEqual(await read(repo), { setupStatus: 'proposed', setupCommands: null })
  const ids = { organizationId: repo.organizationId, repoId: repo.id }
  assert.equal(await findAcceptedTest(db, ids), null)
  assert.partialDeepStrictEqual(await accept(repo, 1), { state: 'accepted', acceptedBy: null })
  assert.equal(await findAcceptedTest(db, ids), 'npm test')
  assert.partialDeepStrictEqual(await read(repo), {
    setupStatus: 'accepted',
    setupCommands: '(\ncd web && npm ci\n)\nmake deps',
    checkCommands: [],
  })
  await accept(repo, 1, true)
  await accept(repo, 1, true)
  assert.deepEqual((await read(repo)).checkCommands, [{ name: 'test', command: 'npm test' }])
})

test('a later proposal takes the place of one that nobody has accepted, and of an accepted one only when it is', async () => {
  const repo = await makeRepo()
  await find(repo)
  await find(repo)
  assert.deepEqual(await states(repo), ['2 proposed', '1 superseded'])
  await assert.rejects(accept(repo, 1), (error) => error instanceof AppError && error.code === 'conflict')
  await accept(repo, 2)
  await find(repo)
  assert.deepEqual(await states(repo), ['3 proposed', '2 accepted', '1 superseded'])
  await accept(repo, 3)
  assert.deepEqual(await states(repo), ['3 accepted', '2 superseded', '1 superseded'])
  await assert.rejects(
    accept(repo, 4),
    (error) => error instanceof AppError && error.code === 'setup_proposal_not_found',
  )
})

test('where nothing is to be installed, the repository has no setup commands', async () => {
  const repo = await makeRepo()
  await find(repo, { commands: [] })
  await accept(repo, 1)
  assert.partialDeepStrictEqual(await read(repo), { setupStatus: 'accepted', setupCommands: null })
})

test('a turn that is finished again by another worker proposes once', async () => {
  const repo = await makeRepo()
  const { organizationId, userId } = repo
  const { holder } = await makeHeldRun(db, { organizationId, userId })
  const found = {
    holder,
    repoId: repo.id,
    commands: [],
    testCommand: 'x',
    notes: '',
    evidence: [],
    baseCommit: null,
    lockfiles: {},
  }
  const first = await saveSetupProposal(db, found)
  assert.deepEqual(await saveSetupProposal(db, found), first)
  assert.deepEqual(await states(repo), ['1 proposed'])
})

test('where a setting says so, what passes a test is accepted by itself', async () => {
  const repo = await makeRepo()
  const { organizationId } = repo
  const nothing = { name: undefined, maxRunning: undefined, labels: undefined, defaultModels: undefined }
  const settings = { acceptSetupCommands: true } as Parameters<typeof updateOrganization>[1]['settings']
  await updateOrganization(db, { organizationId, ...nothing, settings })
  assert.equal((await find(repo, { testCommand: null })).state, 'proposed')
  assert.equal((await find(repo)).state, 'accepted')
  await db.query('update repos set accept_setup_commands = false where organization_id = $1', [organizationId])
  assert.equal((await find(repo)).state, 'proposed')
})

test('accepted commands are outdated once the lock files of the default branch are others', async () => {
  const repo = await makeRepo()
  const files: Record<string, string> = { one: 'a.lock: 1' }
  const store = {
    readFile: async (_: unknown, { commit }: { commit: string }) => (files[commit] ? Buffer.from(files[commit]) : null),
  }
  const lockfiles = await hashLockfiles({ store, repo, commit: 'one', paths: ['a.lock'] })
  assert.match(lockfiles['a.lock']!, /^[0-9a-f]{64}$/)
  assert.equal(await markSetupOutdated(db, { repo, commit: 'one', store }), null)
  await find(repo, { lockfiles })
  await accept(repo, 1)
  assert.equal(await markSetupOutdated(db, { repo, commit: 'one', store }), false)
  assert.equal(await markSetupOutdated(db, { repo, commit: 'without', store }), true)
  assert.equal((await read(repo)).setupStatus, 'outdated')
  assert.equal(await markSetupOutdated(db, { repo, commit: 'one', store }), false)
  assert.equal((await read(repo)).setupStatus, 'accepted')
})

test('a command that would change the shell for the next one is run in one of its own', () => {
  const script = scriptOf([
    'npm ci',
    'export A=1; make',
    '.venv/bin/pip install -e .',
    'set -x',
    'cd web',
    'echo cdrom',
  ])
  assert.equal(
    script,
    'npm ci\n(\nexport A=1; make\n)\n(\n.venv/bin/pip install -e .\n)\n(\nset -x\n)\n(\ncd web\n)\necho cdrom',
  )
})
