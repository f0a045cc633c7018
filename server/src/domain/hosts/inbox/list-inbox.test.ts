import assert from 'node:assert/strict'
import { test } from 'node:test'
import { one } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { finishTurn } from '#domain/runs/runs/finish-turn.ts'
import { releaseRun } from '#domain/runs/runs/release-run.ts'
import { createQuestion } from '#domain/runs/questions/create-question.ts'
import { answerQuestion } from '#domain/runs/questions/answer-question.ts'
import { saveReadiness } from '#domain/hosts/pulls/save-readiness.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testApp } from '#test/test-app.ts'
import { until } from '#test/test-sandboxes.ts'
import { makeWorld } from '#test/world.ts'
import { listInbox } from './list-inbox.ts'
import { listNotifications, type NotificationPlace } from './list-notifications.ts'
import { markRead } from './mark-read.ts'
import { saveInboxSettings } from './save-inbox-settings.ts'

const testing = await testApp()
const { pool: db } = testing.app
const mask = (text: string) => text.replaceAll('hunter22', '[hidden]')
const page = { skip: 0, limit: 100 }

/** A person, and a run of theirs that a worker holds. */
async function setScene() {
  const { organizationId, userId } = await testing.member()
  const me = { organizationId, userId }
  const { run, holder } = await makeHeldRun(db, { ...me, prompt: '  Count\nto two' })
  return { me, run, holder, inbox: async () => (await listInbox(db, { ...me, ...page })).items }
}

type Scene = Awaited<ReturnType<typeof setScene>>

async function ask({ holder }: Scene, kind: 'question' | 'plan') {
  const { n } = await createQuestion(db, { holder, key: kind, kind, text: `Which ${kind}?`, options: [], mask })
  await releaseRun(db, { ...holder, isLost: false, mask })
  return n
}

const fail = ({ holder }: Scene) =>
  finishTurn(db, {
    holder,
    end: { status: 'failed', error: { code: 'stuck', message: 'hunter22 is stuck', retryable: false } },
    entries: [],
    mask,
  })

test('a question is in the inbox of whoever started the run until it is answered', async () => {
  const scene = await setScene()
  const n = await ask(scene, 'question')
  const [item, ...others] = await scene.inbox()
  assert.deepEqual(others, [])
  assert.partialDeepStrictEqual(item, {
    kind: 'question',
    runId: scene.run.id,
    text: 'Which question?',
    readAt: null,
    run: { title: 'Count', status: 'waiting_for_user' },
  })
  const other = await testing.member()
  assert.deepEqual(
    (await listInbox(db, { organizationId: scene.me.organizationId, userId: other.userId, ...page })).items,
    [],
  )
  await answerQuestion(db, {
    organizationId: scene.me.organizationId,
    runId: scene.run.id,
    n,
    answer: 'x',
    userId: scene.me.userId,
  })
  assert.deepEqual(await scene.inbox(), [])
})

test('a failure says why, without secrets; muted kinds are left out until they are wanted again', async () => {
  const scene = await setScene()
  await fail(scene)
  assert.partialDeepStrictEqual(await scene.inbox(), [{ kind: 'failure', text: '[hidden] is stuck' }])
  await saveInboxSettings(db, { ...scene.me, muted: ['failure'] })
  assert.deepEqual(await scene.inbox(), [])
  await saveInboxSettings(db, { ...scene.me, muted: ['plan'] })
  assert.equal((await scene.inbox()).length, 1)
})

test('what is marked as read stays so, with what is older where that is wanted', async () => {
  const first = await setScene()
  await fail(first)
  const { me } = first
  const second = { ...first, ...(await makeHeldRun(db, { ...me, prompt: 'Second' })) }
  await ask(second, 'plan')
  const [newer, older] = await first.inbox()
  assert.ok(newer && older && newer.kind === 'plan')
  await markRead(db, { ...me, notificationId: older.id, andOlder: false })
  const readOf = async () => (await first.inbox()).map(({ readAt }) => readAt !== null)
  assert.deepEqual(await readOf(), [false, true])
  await db.query('update notifications set read_at = null where organization_id = $1', [me.organizationId])
  await markRead(db, { ...me, notificationId: newer.id, andOlder: true })
  assert.deepEqual(await readOf(), [true, true])
  const stranger = await testing.member()
  await assert.rejects(markRead(db, { ...me, userId: stranger.userId, notificationId: newer.id, andOlder: true }), {
    code: 'notification_not_found',
  })
})

test('a pull request that becomes ready twice at one commit is told of once', async () => {
  const { organizationId, userId, ids, commit } = await makeWorld(testing)
  const pull = { organizationId, pullId: ids.pr_id! }
  for (const status of ['in_progress', 'completed'])
    await db.query('update run_heads set status = $3 where organization_id = $1 and run_id = $2', [
      organizationId,
      ids.agent_run_id,
      status,
    ])
  const merges = async () =>
    (await listInbox(db, { organizationId, userId, ...page })).items.filter(({ kind }) => kind === 'merge')
  await saveReadiness(db, { ...pull, commit })
  assert.partialDeepStrictEqual(await merges(), [{ pullId: pull.pullId, runId: ids.agent_run_id }])
  await saveReadiness(db, { ...pull, commit: null })
  assert.deepEqual(await merges(), [])
  await saveReadiness(db, { ...pull, commit })
  assert.equal((await merges()).length, 1)
  const { count } = await one<{ count: number }>(
    db,
    `select count(*) as count from notifications where organization_id = $1 and kind = 'merge'`,
    [organizationId],
  )
  assert.equal(count, 1)
})

test('a channel reads each notification once, also one whose transaction ends after a later one', async () => {
  const late = await setScene()
  const { organizationId } = late.me
  const early = { ...late, ...(await makeHeldRun(db, { ...late.me, prompt: 'Early' })) }
  const report: (number | null)[] = []
  let place: NotificationPlace | null = null
  const read = async () => {
    const next = await listNotifications(db, { organizationId, after: place })
    report.push(...next.notifications.map(({ runId }) => runId))
    place = next.place
  }
  await inTransaction(db, async (tx) => {
    await tx.query(
      `insert into notifications (organization_id, kind, run_id, subject, text) values ($1, 'failure', $2, '1', 'x')`,
      [organizationId, late.run.id],
    )
    await fail(early)
    await read()
    assert.deepEqual(report, [])
  })
  // Transactions of other databases hold it back too, while they are open.
  await until(async () => {
    await read()
    return report.length >= 2
  }, 'both are told')
  await read()
  assert.equal(report.length, 2)
  assert.deepEqual(new Set(report), new Set([late.run.id, early.run.id]))
})
