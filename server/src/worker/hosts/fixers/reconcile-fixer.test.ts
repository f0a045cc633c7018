import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { Forge } from '#adapters/codehosts/forge.ts'
import type { App } from '#app/app.ts'
import { one, rows } from '#db/pool.ts'
import { reportCheck } from '#domain/hosts/checks/report-check.ts'
import { intendEffect } from '#domain/runs/effects/intend-effect.ts'
import { settlePush } from '#domain/hosts/pulls/settle-push.ts'
import { listHostComments } from '#domain/hosts/comments/list-host-comments.ts'
import type { MessageEntry } from '#domain/runs/messages/message.ts'
import { banRun } from '#domain/hosts/fixers/ban-run.ts'
import { getPull } from '#domain/hosts/pulls/get-pull.ts'
import type { CheckSettings } from '#domain/hosts/fixers/check-settings.ts'
import { getCheckSettings } from '#domain/hosts/fixers/get-check-settings.ts'
import type { FixerState } from '#domain/hosts/fixer.ts'
import { saveCheckSettings } from '#domain/hosts/fixers/save-check-settings.ts'
import { startFixer } from '#domain/hosts/fixers/start-fixer.ts'
import { updatePull } from '#domain/hosts/pulls/update-pull.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { recordPush } from '#domain/hosts/pulls/record-push.ts'
import { finishTurn, type TurnEnd } from '#domain/runs/runs/finish-turn.ts'
import { resumeRun } from '#domain/runs/runs/resume-run.ts'
import type { Holder } from '#domain/runs/holder.ts'
import { commitTo } from '#test/commit-to.ts'
import { makeUser } from '#test/make.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld, type World } from '#test/world.ts'
import { workOff } from '#test/work-off.ts'

const testing = await testApp()
const mask = testing.app.redactors.own.mask
const app = { ...testing.app, mask } as unknown as App
const { pool: db } = app

const ids = (world: World) => ({ organizationId: world.organizationId, runId: world.ids.agent_run_id! })
const place = (world: World) => ({ organizationId: world.organizationId, repoId: world.ids.repo_id! })
const pullOf = (world: World) => ({ organizationId: world.organizationId, pullId: world.ids.pr_id! })

/** A run that has opened a pull request, whose checks nobody waits for, and that has ended. */
async function setScene(settings: Partial<CheckSettings> = {}): Promise<World> {
  const world = await makeWorld(testing)
  await endTurn(await hold(world))
  await saveCheckSettings(db, { ...place(world), settings: { settleSeconds: 0, ...settings } })
  for (const table of ['pull_agents', 'checks', 'jobs'])
    await db.query(`delete from ${table} where organization_id = $1`, [world.organizationId])
  await startFixer(db, { ...pullOf(world), ...ids(world), at: new Date() })
  await settle()
  return world
}

/** Until nothing is due any more, as workers do it. */
async function settle(as: App = app): Promise<void> {
  while ((await workOff(as, { kinds: ['host_event', 'fixer'] })) || (await becomesDue())) continue
}

/** Whether what was only put off for a moment, so that nobody looks too often, is due by now. */
async function becomesDue(): Promise<boolean> {
  const { rowCount } = await db.query(
    `update jobs set due_at = now() where kind in ('host_event', 'fixer') and due_at < now() + interval '1 second'`,
  )
  return rowCount !== 0
}

/** As if it had been a while. */
const lookNow = ({ organizationId }: World) =>
  db.query(`select request_job(organization_id, 'fixer', pull_id::text) from pull_agents where organization_id = $1`, [
    organizationId,
  ])

async function stateOf(world: World): Promise<FixerState> {
  const { state } = await one<{ state: FixerState }>(
    db,
    'select state from pull_agents where organization_id = $1 and pull_id = $2',
    Object.values(pullOf(world)),
  )
  return state
}

type Reported = { name?: string; log?: string; commit?: string }

/** Somebody's CI says how a check of the head has ended. */
async function tell(world: World, conclusion: 'success' | 'failure', more: Reported = {}): Promise<void> {
  const { name = 'test', log = 'AssertionError: 1 !== 2\n', commit = (await stateOf(world)).head } = more
  const words = { url: undefined, summary: undefined, log: Buffer.from(log), blobs: app.blobs }
  const check = { key: name, name, app: 'api', status: 'completed', conclusion, ...words } as const
  await reportCheck(db, { ...place(world), commit, ...check })
}

async function report(world: World, conclusion: 'success' | 'failure', more: Reported = {}): Promise<void> {
  await tell(world, conclusion, more)
  await settle()
}

type Head = { status: string; turn: number; wanted: string | null }
const headOf = (world: World) =>
  one<Head>(
    db,
    'select status, turn, wanted from run_heads where organization_id = $1 and run_id = $2',
    Object.values(ids(world)),
  )

/** Begins the turn that is queued, as a worker would; answers its holder. */
async function hold(world: World): Promise<Holder> {
  const leaseId = randomUUID()
  const worker = await one<{ id: number }>(
    db,
    `insert into workers (name, slots, version, alive_until) values ('test', 1, '0', now() + interval '1 hour') returning id`,
  )
  const { turn } = await one<{ turn: number }>(
    db,
    `update run_heads set status = 'in_progress', worker_id = $3, lease_id = $4, turn_started_at = now()
     where organization_id = $1 and run_id = $2 and status = 'queued' returning turn`,
    [...Object.values(ids(world)), worker.id, leaseId],
  )
  await db.query(
    'update messages set taken_seq = 1 where organization_id = $1 and run_id = $2',
    Object.values(ids(world)),
  )
  await db.query('update run_slots set running = running + 1 where organization_id = $1', [world.organizationId])
  return { ...ids(world), turn, leaseId }
}

const done: TurnEnd = { status: 'completed', result: 'Done', summary: null }

async function endTurn(holder: Holder, end: TurnEnd = done): Promise<void> {
  await finishTurn(db, { holder, end, entries: [], mask })
}

/** The turn that is queued pushes this, and ends. */
async function playTurn(
  world: World,
  { files, end }: { files?: Record<string, string>; end?: TurnEnd } = {},
): Promise<void> {
  const holder = await hold(world)
  if (files) {
    const { head } = await stateOf(world)
    const commit = commitTo(world.repository, { branch: world.word, files })
    const request = { branch: world.word, commit, expected: head, turn: holder.turn }
    await intendEffect(db, { holder, key: commit, kind: 'push', request })
    const pushed = { repoId: world.ids.repo_id!, branch: world.word, commit }
    await settlePush(db, { holder, key: commit, result: { commit }, entries: [], mask, pushed })
  }
  await endTurn(holder, end)
  await lookNow(world)
  await settle()
}

const commentsOn = (world: World) =>
  listHostComments(db, { ...place(world), on: { kind: 'pull', number: 1 }, publicUrl: '' }).then((all) =>
    all.filter(({ body }) => body.includes('runwright:')),
  )

async function entriesOf(world: World): Promise<MessageEntry[]> {
  const found = await rows<{ entry: MessageEntry }>(
    db,
    'select entry from messages where organization_id = $1 and run_id = $2 and entry is not null order by n',
    Object.values(ids(world)),
  )
  return found.map(({ entry }) => entry)
}

/** A push of somebody of ours. */
async function pushByHand(world: World, { userId }: { userId: number }): Promise<string> {
  const { head: before } = await stateOf(world)
  const commit = commitTo(world.repository, { branch: world.word, files: { theirs: `${before}\n` } })
  const updates = [{ branch: world.word, before, commit }]
  await recordPush(db, { ...place(world), hosts: app.hosts, updates, runId: null, userId })
  await settle()
  return commit
}

/** A program that is a member, such as a formatter. */
async function addProgram({ organizationId }: World): Promise<{ userId: number }> {
  const { id: userId } = await makeUser(db, { organizationId })
  await db.query(`update users set kind = 'service' where id = $1`, [userId])
  return { userId }
}

test('a check that fails is fixed in a turn of the same run, until it passes', async () => {
  const world = await setScene({ customPrompts: { test: 'Run npm test first.' } })
  const { head } = await stateOf(world)
  await report(world, 'failure', {
    log: 'not ok 1 - adds\nAssertionError: 1 !== 2 token=ghp_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n',
  })
  assert.partialDeepStrictEqual(await headOf(world), { status: 'queued', turn: 2 })
  assert.partialDeepStrictEqual(await stateOf(world), {
    phase: 'fixing',
    fix: { attempt: 1, turn: 2, checks: ['test'] },
  })
  const [entry] = await entriesOf(world)
  assert.equal(entry?.messageType, 'DETECT_PR_ERRORS')
  assert.partialDeepStrictEqual(entry?.observation, {
    head_sha: head,
    checks: [{ name: 'test', conclusion: 'failure', verdict: 'fixable' }],
  })
  const { prompt } = await one<{ prompt: string }>(
    db,
    'select body as prompt from messages where organization_id = $1 and run_id = $2 order by n desc limit 1',
    Object.values(ids(world)),
  )
  assert.match(prompt, /Run npm test first\.$/)
  assert.match(prompt, /<data seal="[0-9a-f]+" from="log of test">\n(.*\n)*.*AssertionError: 1 !== 2/)

  await playTurn(world, { files: { fixed: 'yes\n' } })
  const fixed = await stateOf(world)
  assert.deepEqual([fixed.phase, fixed.fix, fixed.head === head], ['waiting_checks', null, false])
  await report(world, 'success')
  assert.equal((await stateOf(world)).phase, 'green')
  assert.equal((await headOf(world)).status, 'completed')
  assert.deepEqual((await getCheckSettings(db, place(world))).seenNames, ['api', 'test'])
})

test('it gives up when its tries are used up, and says so in one comment', async () => {
  const world = await setScene({ retryCount: 2 })
  for (const round of ['one', 'two']) {
    await report(world, 'failure', { log: `AssertionError: ${round}\n` })
    await playTurn(world, { files: { [round]: 'yes\n' } })
  }
  await report(world, 'failure', { log: 'AssertionError: three\n' })
  const { phase, reason, attempts } = await stateOf(world)
  assert.deepEqual([phase, reason, attempts], ['gave_up', 'all tries are used up', { test: 2 }])
  assert.equal((await headOf(world)).status, 'completed')
  const [text, ...more] = await commentsOn(world)
  assert.match(text?.body ?? '', /all tries are used up \(`test`\)/)
  assert.deepEqual(more, [])
})

test('it stops when a person pushes, and goes on when a person sends its run on', async () => {
  const world = await setScene()
  await report(world, 'failure')
  const holder = await hold(world)
  const theirs = await pushByHand(world, world)
  assert.equal((await headOf(world)).wanted, 'cancel')
  await endTurn(holder, { status: 'cancelled' })
  await settle()
  assert.partialDeepStrictEqual(await stateOf(world), { phase: 'paused', head: theirs, fix: null })
  await report(world, 'failure')
  assert.equal((await headOf(world)).status, 'cancelled', 'nothing begins by itself')
  assert.equal((await commentsOn(world)).length, 1)

  await resumeRun(db, { ...ids(world), prompt: 'Go on', userId: world.userId })
  await playTurn(world)
  assert.partialDeepStrictEqual(await headOf(world), { status: 'queued', turn: 4 })
  assert.equal((await stateOf(world)).phase, 'fixing')
})

test('it goes on from what another program has pushed, though not for ever', async () => {
  const world = await setScene({ retryCount: 10 })
  const program = await addProgram(world)
  for (const round of ['one', 'two', 'three', 'four']) {
    const theirs = await pushByHand(world, program)
    assert.partialDeepStrictEqual(await stateOf(world), { phase: 'waiting_checks', head: theirs })
    await report(world, 'failure', { log: `AssertionError: ${round}\n` })
    if (round !== 'four') await playTurn(world, { files: { [`fixed${round}`]: 'yes\n' } })
  }
  assert.partialDeepStrictEqual(await stateOf(world), { phase: 'gave_up', fixes: 3 })
  const [text, ...more] = await commentsOn(world)
  assert.match(text?.body ?? '', /other programs push again and again/)
  assert.deepEqual(more, [])
})

test('what people ask of a run comes first: fixing waits for its end', async () => {
  const world = await setScene()
  await resumeRun(db, { ...ids(world), prompt: 'Another thing', userId: world.userId })
  await report(world, 'failure')
  assert.partialDeepStrictEqual(await headOf(world), { status: 'queued', turn: 2 })
  assert.equal((await stateOf(world)).phase, 'waiting_checks')
  await playTurn(world)
  assert.partialDeepStrictEqual(await headOf(world), { status: 'queued', turn: 3 })
})

test('a run that is banned stops fixing at once, and begins anew when it is taken back', async () => {
  const world = await setScene()
  await report(world, 'failure')
  const by = { ...ids(world), userId: world.userId, at: new Date() }
  const banned = await banRun(db, { ...by, type: 'banned' })
  assert.equal(banned.status, 'cancelled')
  await report(world, 'failure', { name: 'lint' })
  assert.equal((await headOf(world)).status, 'cancelled')
  assert.partialDeepStrictEqual(await stateOf(world), { suspended: 'banned', fix: null })
  await banRun(db, { ...by, type: 'unbanned' })
  await settle()
  assert.partialDeepStrictEqual(await stateOf(world), {
    phase: 'fixing',
    suspended: null,
    attempts: { test: 1, lint: 1 },
  })
})

test('removed from its pull request, a run also stops what people have asked for', async () => {
  const world = await setScene()
  await resumeRun(db, { ...ids(world), prompt: 'Another thing', userId: world.userId })
  const by = { ...ids(world), userId: world.userId, at: new Date() }
  assert.equal((await banRun(db, { ...by, type: 'banned' })).status, 'queued')
  assert.equal((await banRun(db, { ...by, type: 'removed' })).status, 'cancelled')
})

test('a pull request that is closed is left alone, until it is open again', async () => {
  const world = await setScene()
  await report(world, 'failure')
  const change = { ...pullOf(world), hosts: app.hosts, title: undefined, body: undefined }
  await updatePull(db, { ...change, state: 'closed' })
  await settle()
  assert.equal((await headOf(world)).status, 'cancelled')
  assert.equal((await stateOf(world)).phase, 'closed')
  await updatePull(db, { ...change, state: 'open' })
  await settle()
  assert.equal((await stateOf(world)).phase, 'fixing')
})

test('a turn that fails, or changes nothing, ends it with the reason', async () => {
  for (const [end, reason] of [
    [{ status: 'failed', error: { code: 'model_error', message: 'No answer', retryable: true } }, /failed: No answer/],
    [{ status: 'completed', result: 'I see nothing', summary: null }, /has changed nothing/],
  ] as const) {
    const world = await setScene()
    await report(world, 'failure')
    await playTurn(world, { end })
    const state = await stateOf(world)
    assert.equal(state.phase, 'gave_up')
    assert.match(state.reason ?? '', reason)
  }
})

test('what fails where the branch begins is none of its business', async () => {
  const world = await setScene()
  const base = commitTo(world.repository, { branch: 'main', files: { 'read.me': world.word } })
  await db.query('update runs set base_commit = $3 where organization_id = $1 and id = $2', [
    ...Object.values(ids(world)),
    base,
  ])
  await tell(world, 'failure', { commit: base })
  await report(world, 'failure')
  assert.partialDeepStrictEqual(await stateOf(world), { phase: 'gave_up', fixes: 0 })
})

test('where a host fails between an effect and its row, nothing is done twice', async () => {
  const world = await setScene({ retryCount: 1 })
  await report(world, 'failure')
  await playTurn(world, { files: { fixed: 'yes\n' } })
  let text = 0
  const saveComment: Forge['saveComment'] = async (repo, ...options) => {
    const comment = await app.hosts.forge(repo).saveComment(repo, ...options)
    if (++text === 1) throw new HostError('unavailable', 'The connection broke off')
    return comment
  }
  const failing = {
    ...app,
    hosts: { ...app.hosts, forge: (repo: RepoRef) => ({ ...app.hosts.forge(repo), saveComment }) },
  }
  await tell(world, 'failure', { log: 'AssertionError: again\n' })
  await settle(failing)
  await lookNow(world)
  await settle(failing)
  assert.equal(text, 2)
  assert.equal((await commentsOn(world)).length, 1)
  assert.equal((await stateOf(world)).phase, 'gave_up')
})

test('of two workers that look at once, one begins the turn', async () => {
  const world = await setScene()
  await tell(world, 'failure', { log: 'AssertionError: twice\n' })
  await Promise.all([settle(), settle(), settle()])
  await settle()
  assert.equal((await entriesOf(world)).length, 1)
  assert.partialDeepStrictEqual(await headOf(world), { status: 'queued', turn: 2 })
})

test('a worker that was thought lost changes nothing any more', async () => {
  const world = await setScene()
  let wasTaken = false
  const readCheckLog: Forge['readCheckLog'] = async (repo, ...options) => {
    const log = await app.hosts.forge(repo).readCheckLog(repo, ...options)
    if (wasTaken) return log
    wasTaken = true
    await db.query('update jobs set claimed_until = now() where organization_id = $1', [world.organizationId])
    await settle()
    return log
  }
  const slow = {
    ...app,
    hosts: { ...app.hosts, forge: (repo: RepoRef) => ({ ...app.hosts.forge(repo), readCheckLog }) },
  }
  await tell(world, 'failure', { log: 'AssertionError: slow\n' })
  await settle(slow)
  assert.ok(wasTaken)
  assert.equal((await entriesOf(world)).length, 1)
})

test('a run says on the commit how it stands, once for each news', async () => {
  const world = await setScene()
  const repo = { ...place(world), path: `${world.organizationId}/${world.ids.repo_id}.git` }
  const reports = async (commit: string) =>
    (await app.hosts.forge(repo).listChecks(repo, commit)).checks
      .filter(({ name }) => name.startsWith('agent: '))
      .map(({ name, status, conclusion, summary }) => ({ name, status, conclusion, summary }))
  const { head } = await stateOf(world)
  const [first] = await reports(head)
  assert.partialDeepStrictEqual(first, { name: `agent: ${world.word}`, status: 'completed', conclusion: 'success' })
  await report(world, 'failure')
  assert.partialDeepStrictEqual(await reports(head), [{ status: 'in_progress', conclusion: null }])
  await playTurn(world, { files: { fixed: 'yes\n' } })
  assert.partialDeepStrictEqual(await reports(head), [{ status: 'completed', conclusion: 'neutral' }])
  assert.equal((await reports((await stateOf(world)).head)).length, 1)
})

test('a pull request is ready to merge once its checks have passed, and not while any fails or it conflicts with its base', async () => {
  const world = await setScene({ retryCount: 0, ignoredChecks: ['lint'] })
  const readyCommit = async () => {
    const found = await one<{ commit: string | null }>(
      db,
      'select ready_commit as commit from pulls where organization_id = $1 and id = $2',
      Object.values(pullOf(world)),
    )
    return found.commit
  }
  const { head } = await stateOf(world)
  assert.equal(await readyCommit(), head)
  await report(world, 'failure', { name: 'lint' })
  assert.equal(await readyCommit(), head)
  await report(world, 'failure')
  assert.equal(await readyCommit(), null)
  await report(world, 'success')
  assert.equal(await readyCommit(), head)
  for (const content of ['Something else.\n', undefined]) {
    const repo = await getRepo(db, place(world))
    const { branches } = await app.hosts.git(repo).mirror(repo)
    const before = branches.get('main')!
    const files = { [world.word]: content ?? world.word }
    const updates = [{ branch: 'main', before, commit: commitTo(world.repository, { branch: 'main', files }) }]
    await recordPush(db, { ...place(world), hosts: app.hosts, updates, runId: null, userId: world.userId })
    await settle()
    assert.equal(await readyCommit(), content ? null : head, 'conflicts with the base count')
  }
  await updatePull(db, { ...pullOf(world), hosts: app.hosts, title: undefined, body: undefined, state: 'draft' })
  await settle()
  assert.equal(await readyCommit(), null)
})

test('green checks end only a draft that its engine was sure of', async () => {
  const world = await setScene()
  await updatePull(db, { ...pullOf(world), hosts: app.hosts, title: undefined, body: undefined, state: 'draft' })
  for (const isProposal of [true, false]) {
    await db.query('delete from pull_agents where organization_id = $1', [world.organizationId])
    await startFixer(db, { ...pullOf(world), ...ids(world), at: new Date(), isProposal })
    assert.equal((await stateOf(world)).isOurDraft ?? false, !isProposal)
  }
})

test('what the version before has stored in its own words is read in those of today', async () => {
  const world = await setScene({ retryCount: 0 })
  await report(world, 'failure')
  assert.equal((await stateOf(world)).phase, 'gave_up')
  const setState = (state: string) =>
    db.query(`update pull_agents set state = ${state} where organization_id = $1`, [world.organizationId])
  const shown = async () => (await getPull(db, pullOf(world))).agent?.phase
  await setState(`state - 'suspended' || '{"phase": "tapped_out", "barred": null}'`)
  assert.equal(await shown(), 'gave_up')
  await setState(`state || '{"barred": "banned"}'`)
  assert.equal(await shown(), 'banned')
  await banRun(db, { ...ids(world), type: 'unbanned', userId: world.userId, at: new Date() })
  assert.partialDeepStrictEqual(await stateOf(world), { suspended: null })
  await settle()
  assert.notEqual((await stateOf(world)).phase, 'tapped_out')
})
