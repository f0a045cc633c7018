import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { openFileBlobs } from '#adapters/blobs/file.ts'
import { AppError } from '#base/errors.ts'
import { limits } from '#base/limits.ts'
import { openRedactor } from '#base/redaction/redactor.ts'
import { one, rows } from '#db/pool.ts'
import { answerQuestion } from '#domain/runs/questions/answer-question.ts'
import { createQuestion } from '#domain/runs/questions/create-question.ts'
import { finishStep } from '#domain/runs/steps/finish-step.ts'
import { startStep } from '#domain/runs/steps/start-step.ts'
import { LeaseLost, PauseWanted, type Holder } from '#domain/runs/holder.ts'
import { takeMessages } from '#domain/runs/steps/take-messages.ts'
import { makeRun } from '#test/make-run.ts'
import { makeOrganization } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { cancelRun } from './cancel-run.ts'
import { claimRun } from './claim-run.ts'
import { continueRun } from './continue-run.ts'
import { finishTurn } from './finish-turn.ts'
import { pauseRun } from './pause-run.ts'
import { releaseRun } from './release-run.ts'
import { resumeRun } from './resume-run.ts'
import type { RunStatus } from '#domain/runs/run.ts'

const db = await testDb()
const mask = openRedactor([]).mask
const folder = mkdtempSync(path.join(os.tmpdir(), 'runwright-blobs-'))
after(() => rm(folder, { recursive: true }))
const blobs = openFileBlobs({ folder })
/** Sequences of each property, and the time after which no more are tried. */
const ROUNDS = 40
const LONGEST_MS = 20_000

/** Which status may follow which, as the contract has it; written down apart from the table that the database holds. */
const allowed: Record<RunStatus, RunStatus[]> = {
  queued: ['in_progress', 'paused', 'cancelled', 'failed'],
  in_progress: ['queued', 'waiting_for_user', 'paused', 'completed', 'failed', 'cancelled'],
  waiting_for_user: ['queued', 'cancelled', 'failed'],
  paused: ['queued', 'cancelled'],
  completed: ['queued'],
  failed: ['queued'],
  cancelled: ['queued'],
}
const ends: RunStatus[] = ['completed', 'failed', 'cancelled']
const hasEnded = ({ status }: { status: RunStatus }) => ends.includes(status)

const verbs = [
  'claim',
  'cancel',
  'pause',
  'continue',
  'resume',
  'answer',
  'take',
  'step',
  'ask',
  'complete',
  'fail',
  'release',
  'lose',
] as const
type Verb = (typeof verbs)[number]
/** `run`: which of the two. */
type Act = { verb: Verb; run: 0 | 1 }
/** Whoever lost a run of which the next turn waits learns so, and does not believe that nothing was said. */
const staleTake: Act[] = [
  { verb: 'pause', run: 0 },
  { verb: 'claim', run: 1 },
  { verb: 'fail', run: 1 },
  { verb: 'resume', run: 1 },
  { verb: 'take', run: 1 },
]
const act = fc.record({ verb: fc.constantFrom<Verb>(...verbs, 'claim', 'claim', 'step'), run: fc.constantFrom(0, 1) })

/** What is true of a run, as far as the verbs can tell. */
type Facts = {
  status: RunStatus
  turn: number
  wanted: 'cancel' | 'pause' | null
  isHeld: boolean
  claims: number
  unread: number
  /** Of these, how many begin no turn yet, and how many begin the next one. */
  asked: number
  later: number
  log: number
  /** Turn of the newest question that is open, whatever became of its turn. */
  askedIn: number | null
}
const first: Facts = {
  status: 'queued',
  turn: 1,
  wanted: null,
  isHeld: false,
  claims: 0,
  unread: 1,
  asked: 0,
  later: 0,
  log: 0,
  askedIn: null,
}

/** What a verb makes of a run; a text is the code or name that it is refused with. */
const rules: Record<Exclude<Verb, 'claim'>, (run: Facts) => Partial<Facts> | string> = {
  cancel: (run) => {
    if (hasEnded(run)) return 'run_already_ended'
    return run.isHeld ? { wanted: 'cancel', ...held(run) } : { status: 'cancelled' }
  },
  pause: (run) => {
    if (hasEnded(run)) return 'run_already_ended'
    if (run.status === 'queued') return { status: 'paused' }
    return run.isHeld && run.wanted !== 'cancel' ? { wanted: 'pause', ...held(run) } : 'conflict'
  },
  continue: (run) => {
    if (hasEnded(run)) return 'run_already_ended'
    return run.status === 'paused' ? { status: 'queued', wanted: null, claims: 0 } : 'conflict'
  },
  resume: ({ status, turn, unread, wanted: request, asked, later }) => {
    if (status === 'in_progress' && request) return { unread: unread + 1, later: later + 1 }
    if (status === 'queued' || status === 'in_progress') return { unread: unread + 1, asked: asked + 1 }
    return { status: 'queued', turn: turn + 1, wanted: null, claims: 0, unread: unread + 1 }
  },
  answer: (run) => {
    if (run.askedIn === null) return 'none'
    if (hasEnded(run)) return 'run_already_ended'
    if (run.askedIn !== run.turn || run.wanted === 'cancel') return 'conflict'
    return {
      askedIn: null,
      ...(run.status === 'waiting_for_user' ? { status: 'queued', wanted: null, claims: 0 } : {}),
    }
  },
  take: ({ isHeld, wanted: request, unread, later, log }) => {
    if (unread > later && (!isHeld || request === 'cancel')) return 'LeaseLost'
    return { unread: later, asked: 0, log: log + unread - later }
  },
  step: ({ isHeld, wanted: request, log }) => {
    if (!isHeld || request === 'cancel') return 'LeaseLost'
    return request === 'pause' ? 'PauseWanted' : { log: log + 1, claims: 0 }
  },
  ask: ({ isHeld, wanted: request, turn, askedIn }) => {
    if (!isHeld || request === 'cancel') return 'LeaseLost'
    if (askedIn === turn) return {}
    return request === 'pause' ? 'PauseWanted' : { askedIn: turn }
  },
  complete: (run) => finished(run, 'completed'),
  fail: (run) => finished(run, 'failed'),
  release: (run) => released(run, run.claims - 1),
  lose: (run) => {
    const after = released(run, run.claims)
    const isLast =
      after.status === 'queued' && !after.turn && run.isHeld && run.claims >= limits.claimsWithoutProgressMax
    return isLast ? finished(run, 'failed') : after
  },
}

const free = { isHeld: false, wanted: null } as const

/** What was to begin the next turn waits as any other message does. */
const held = ({ asked, later }: Facts) => ({ asked: asked + later, later: 0 })

function finished(run: Facts, status: 'completed' | 'failed'): Partial<Facts> | string {
  if (!run.isHeld) return 'LeaseLost'
  const isCancelled = run.wanted === 'cancel'
  const ended = { ...free, claims: 0, log: run.log + (isCancelled ? 0 : 1) }
  if (run.later > 0) return { ...ended, status: 'queued', turn: run.turn + 1, later: 0 }
  if (isCancelled) return { ...ended, status: 'cancelled' }
  if (run.asked === 0) return { ...ended, status }
  return { ...ended, status: run.wanted === 'pause' ? 'paused' : 'queued', turn: run.turn + 1, asked: run.asked - 1 }
}

/** Without a lease it does nothing, and says nothing. */
function released(run: Facts, claims: number): Partial<Facts> {
  if (!run.isHeld) return {}
  if (run.later > 0) return { ...free, status: 'queued', claims: 0, turn: run.turn + 1, later: 0 }
  if (run.wanted === 'cancel') return { ...free, status: 'cancelled', claims: 0 }
  if (run.wanted === 'pause') return { ...free, status: 'paused', claims }
  return { ...free, status: run.askedIn === run.turn ? 'waiting_for_user' : 'queued', claims }
}

/** Two runs of an organization that has room for one at work, and what happened to them. */
class World {
  readonly holders: Holder[]
  readonly #organizationId: number
  readonly #workerId: number
  readonly #userId: number
  /** Turns in which a stop was granted. */
  readonly #stopped = new Set<string>()
  /** How long the log was as a turn ended. */
  readonly #ended = new Map<string, number>()
  #made = 0

  constructor(of: { organizationId: number; workerId: number; userId: number; runIds: number[] }) {
    const { organizationId } = of
    this.#organizationId = organizationId
    this.#workerId = of.workerId
    this.#userId = of.userId
    const leaseId = '00000000-0000-4000-8000-000000000000'
    this.holders = of.runIds.map((runId) => ({ organizationId, runId, turn: 1, leaseId }))
  }

  static async open(): Promise<World> {
    const { id: organizationId, adminId: userId } = await makeOrganization(db)
    // Runs of earlier worlds are out of reach.
    await db.query(`update run_heads set not_before = now() + interval '1 day' where not_before <= now()`)
    await db.query('update run_slots set max_running = 1 where organization_id = $1', [organizationId])
    const runIds: number[] = []
    for (let n = 0; n < 2; n++) runIds.push((await makeRun(db, { organizationId, userId })).id)
    const { id: workerId } = await one<{ id: number }>(
      db,
      `insert into workers (name, slots, version, alive_until) values ('test', 1, '0', now() + interval '1 hour') returning id`,
    )
    return new World({ organizationId, workerId, userId, runIds })
  }

  /** Answers what it was refused with, or the place of the run that it was done to; null: nothing to do. */
  async do({ verb, run }: Act): Promise<string | number | null> {
    const holder = this.holders[run]!
    try {
      if (verb === 'claim') return await this.#claim()
      if (verb === 'answer') return await this.#answer(run, holder)
      await this.#verbs[verb](holder)
      return run
    } catch (error) {
      if (error instanceof AppError) return error.code
      if (error instanceof LeaseLost || error instanceof PauseWanted) return error.name
      throw error
    }
  }

  async #claim(): Promise<number | null> {
    const claim = await claimRun(db, { workerId: this.#workerId })
    if (!claim) return null
    const place = this.holders.findIndex(({ runId }) => runId === claim.runId)
    const { organizationId, runId, turn, leaseId } = claim
    this.holders[place] = { organizationId, runId, turn, leaseId }
    return place
  }

  async #answer(place: number, holder: Holder): Promise<string | number> {
    const open = await rows<{ n: number }>(
      db,
      `select n from (select n, answer from questions where organization_id = $1 and run_id = $2 order by n desc limit 1) newest
       where answer is null`,
      [holder.organizationId, holder.runId],
    )
    if (!open[0]) return 'none'
    await answerQuestion(db, { ...this.#ids(holder), n: open[0].n, answer: 'yes' })
    return place
  }

  readonly #ids = ({ organizationId, runId }: Holder) => ({ organizationId, runId, userId: this.#userId })
  readonly #verbs: Record<Exclude<Verb, 'claim' | 'answer'>, (holder: Holder) => Promise<unknown>> = {
    cancel: async (holder) => {
      const { turn } = await cancelRun(db, this.#ids(holder))
      this.#stopped.add(`${holder.runId}/${turn}`)
    },
    pause: (holder) => pauseRun(db, this.#ids(holder)),
    continue: (holder) => continueRun(db, this.#ids(holder)),
    resume: (holder) => resumeRun(db, { ...this.#ids(holder), prompt: 'And then' }),
    take: (holder) => takeMessages(db, { holder, mask, blobs }),
    step: async (holder) => {
      const { step, done } = await startStep(db, { holder, key: `step/${++this.#made}`, kind: 'tool', request: {} })
      const entries = [{ messageType: 'ACTION' as const, toolName: 'test' }]
      if (!done) await finishStep(db, { holder, step, response: null, entries, mask })
    },
    ask: async (holder) => {
      const [open] = await rows<{ key: string }>(
        db,
        'select key from questions where organization_id = $1 and run_id = $2 and turn = $3 and answer is null',
        [holder.organizationId, holder.runId, holder.turn],
      )
      // An engine asks one question at a time, and comes back to it until it is answered.
      const key = open?.key ?? `ask/${++this.#made}`
      if (!open) await startStep(db, { holder, key, kind: 'ask', request: {} })
      await createQuestion(db, { holder, key, kind: 'question', text: '?', options: [], mask })
    },
    complete: (holder) =>
      finishTurn(db, {
        holder,
        end: { status: 'completed', result: 'done', summary: null },
        entries: [{ messageType: 'FINAL_ANSWER', observation: 'done' }],
        mask,
      }),
    fail: (holder) =>
      finishTurn(db, {
        holder,
        end: { status: 'failed', error: { code: 'stuck', message: 'no', retryable: false } },
        entries: [{ messageType: 'ERROR', observation: 'no' }],
        mask,
      }),
    release: (holder) => releaseRun(db, { ...holder, isLost: false, mask }),
    lose: (holder) => releaseRun(db, { ...holder, isLost: true, mask }),
  }

  async facts(): Promise<Facts[]> {
    return rows(
      db,
      `select status, turn, wanted, lease_id is not null as "isHeld", claims, next_seq - 1 as log,
         (select count(*) from messages m where m.organization_id = $1 and m.run_id = h.run_id and taken_seq is null) as unread,
         (select count(*) from messages m where m.organization_id = $1 and m.run_id = h.run_id and taken_seq is null
            and m.turn is null) as asked,
         (select count(*) from messages m where m.organization_id = $1 and m.run_id = h.run_id and taken_seq is null
            and m.turn > h.turn) as later,
         (select case when answer is null then turn end from questions q
          where q.organization_id = $1 and q.run_id = h.run_id order by n desc limit 1) as "askedIn"
       from run_heads h where organization_id = $1 order by run_id`,
      [this.#organizationId],
    )
  }

  /** What must be true whatever was done, in whatever order, at whatever moment. */
  async check(): Promise<void> {
    const facts = await this.facts()
    const { running } = await one<{ running: number }>(db, 'select running from run_slots where organization_id = $1', [
      this.#organizationId,
    ])
    assert.equal(running, facts.filter(({ isHeld }) => isHeld).length, 'slots are the runs at work')
    assert.ok(running <= 1, 'no more run than may')
    for (const [place, run] of facts.entries()) {
      const { runId } = this.holders[place]!
      assert.equal(run.status === 'in_progress', run.isHeld, 'a run at work is held, and no other')
      await this.#checkLog(runId, run)
      await this.#checkWay(runId)
    }
  }

  async #checkLog(runId: number, { status, turn, log }: Facts): Promise<void> {
    const { entries, last } = await one<{ entries: number; last: number | null }>(
      db,
      'select count(*) as entries, max(seq) as last from log_entries where organization_id = $1 and run_id = $2',
      [this.#organizationId, runId],
    )
    assert.deepEqual([entries, last ?? 0], [log, log], 'the log has no hole')
    if (!ends.includes(status)) return
    const known = this.#ended.get(`${runId}/${turn}`) ?? log
    this.#ended.set(`${runId}/${turn}`, known)
    assert.equal(log, known, 'nothing is logged after the end of a turn')
  }

  async #checkWay(runId: number): Promise<void> {
    const way = await rows<{ status: RunStatus; turn: number }>(
      db,
      `select data->>'status' as status, (data->>'turn')::int as turn from events
       where organization_id = $1 and run_id = $2 order by id`,
      [this.#organizationId, runId],
    )
    for (const [index, { status, turn }] of way.entries()) {
      const before = way[index - 1]
      if (!before) continue
      assert.ok(allowed[before.status].includes(status), `${before.status} became ${status}`)
      if (hasEnded(before)) assert.ok(turn > before.turn, 'what has ended goes on as a new turn')
      if (this.#stopped.has(`${runId}/${turn}`) && hasEnded({ status }))
        assert.equal(status, 'cancelled', 'a stop wins')
    }
  }
}

test('the database holds the table of the contract, and no other', async () => {
  const table = await rows<{ was: RunStatus; becomes: RunStatus }>(db, 'select was, becomes from run_transitions')
  const known = table.map(({ was, becomes }) => `${was} ${becomes}`).sort()
  assert.deepEqual(
    known,
    Object.entries(allowed)
      .flatMap(([was, next]) => next.map((becomes) => `${was} ${becomes}`))
      .sort(),
  )
})

test(
  'whatever is done to runs, one thing after the other, they go the way of the contract',
  { timeout: 60_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 20, maxLength: 40, size: 'max' }), async (acts) => {
        const world = await World.open()
        const known = [{ ...first }, { ...first }]
        for (const one of acts) {
          const outcome = await world.do(one)
          if (one.verb === 'claim') {
            const mayClaim = known.some(({ status }) => status === 'queued') && known.every(({ isHeld }) => !isHeld)
            assert.equal(outcome !== null, mayClaim, 'a queued run is claimed when there is room')
            const run = typeof outcome === 'number' ? known[outcome]! : undefined
            if (run) Object.assign(run, { status: 'in_progress', isHeld: true, claims: run.claims + 1 })
          } else {
            const run = known[one.run]!
            const request = rules[one.verb](run)
            assert.equal(
              outcome,
              typeof request === 'string' ? request : one.run,
              `${one.verb} on ${JSON.stringify(run)}`,
            )
            if (typeof request !== 'string') Object.assign(run, request)
          }
          assert.deepEqual(await world.facts(), known, `after ${one.verb} on run ${one.run}`)
        }
        await world.check()
      }),
      { examples: [[staleTake]], numRuns: ROUNDS, interruptAfterTimeLimit: LONGEST_MS },
    )
  },
)

test(
  'whatever is done to runs at once, no stop is lost, no slot, and no number of a log',
  { timeout: 60_000 },
  async () => {
    const together = fc.array(fc.array(act, { minLength: 2, maxLength: 5, size: 'max' }), {
      minLength: 5,
      maxLength: 12,
      size: 'max',
    })
    await fc.assert(
      fc.asyncProperty(together, async (batches) => {
        const world = await World.open()
        await world.do({ verb: 'claim', run: 0 })
        for (const batch of batches) {
          await Promise.all(batch.map((one) => world.do(one)))
          await world.check()
        }
      }),
      { numRuns: ROUNDS, interruptAfterTimeLimit: LONGEST_MS },
    )
  },
)
