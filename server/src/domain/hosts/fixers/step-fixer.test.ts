import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { test } from 'node:test'
import type { Mergeability } from '#base/hosts/host-facts.ts'
import type { CheckVerdict } from '#domain/hosts/checks/diagnose-check.ts'
import { defaultCheckSettings } from './check-settings.ts'
import { initialState, type FixerEffect, type FixerEvent, type FixerState, type Pusher } from '#domain/hosts/fixer.ts'
import { stepFixer, type StepSettings } from './step-fixer.ts'

const minute = 60_000
const settings: StepSettings = {
  ...defaultCheckSettings,
  ignoredChecks: ['codecov'],
  highPriorityApps: ['circleci'],
  customPrompts: { lint: 'Run the formatter.' },
  settleMs: minute,
  fixMsMax: 240 * minute,
  programFixesMax: 3,
  updatesMax: 2,
  updateBranch: 'merge',
  deleteBranch: false,
  lookMsMin: 15_000,
  lookMsMax: 10 * minute,
}

type Told = {
  state: FixerState
  effects: FixerEffect[]
  did: (what: FixerEffect['do']) => FixerEffect[]
}

function tell(events: FixerEvent[], more: Partial<StepSettings> = {}, begun?: FixerState): Told {
  let state = begun ?? { ...initialState({ head: 'a', at: 0 }), quietUntil: minute }
  const effects: FixerEffect[] = []
  for (const event of events) {
    const stepped = stepFixer(state, event, { ...settings, ...more })
    state = stepped.state
    effects.push(...stepped.effects)
  }
  return { state, effects, did: (what) => effects.filter((effect) => effect.do === what) }
}

const check = (name: string, conclusion: string | null, app = 'actions') =>
  ({ name, app, conclusion, status: conclusion === null ? 'in_progress' : 'completed' }) as const
const seen = (head: string, at: number, ...checks: ReturnType<typeof check>[]): FixerEvent => ({
  type: 'checks',
  head,
  checks,
  at,
})
const fails = (head: string, at: number, ...names: string[]) =>
  seen(head, at, ...names.map((name) => check(name, 'failure')))
const judged = (
  head: string,
  at: number,
  name: string,
  signature: string,
  verdict: CheckVerdict = 'fixable',
): FixerEvent => ({ type: 'diagnosed', head, checks: [{ name, app: 'actions', verdict, signature }], at })
const fixed = (attempt: number, pushed: string | null, at: number): FixerEvent => ({
  type: 'fix_ended',
  attempt,
  pushed,
  isStopped: false,
  reason: null,
  at,
})
const pushed = (head: string, at: number, by: Pusher = 'person'): FixerEvent => ({
  type: 'pushed',
  head,
  by,
  at,
})

test('waits while a check is at work', () => {
  const { state, did } = tell([seen('a', 70_000, check('test', 'failure'), check('build', null))])
  assert.equal(state.phase, 'waiting_checks')
  assert.deepEqual([did('diagnose').length, did('look').length], [0, 1])
})

test('waits until all checks may be there, good or bad', () => {
  assert.equal(tell([seen('a', 10_000, check('test', 'success'))]).state.phase, 'waiting_checks')
  assert.equal(tell([fails('a', 10_000, 'test')]).state.phase, 'waiting_checks')
  assert.equal(tell([seen('a', 70_000, check('test', 'success'))]).state.phase, 'green')
})

test('does not wait for others where a check of high priority fails', () => {
  const { state } = tell([seen('a', 1, check('test', 'failure', 'circleci'), check('build', null))])
  assert.equal(state.phase, 'detecting')
})

test('looks less often the longer checks take', () => {
  const at = (time: number) => tell([seen('a', time, check('test', null))]).did('look')[0]
  assert.deepEqual(at(70_000), { do: 'look', at: 105_000 })
  assert.deepEqual(at(100 * minute), { do: 'look', at: 110 * minute })
  assert.deepEqual(tell([seen('a', 70_000)]).effects, [], 'not at all where there are no checks')
})

test('what an earlier commit did counts no more', () => {
  assert.deepEqual(tell([pushed('b', 1, 'run'), fails('a', 90_000, 'test')]).did('diagnose'), [])
  const { state } = tell([fails('a', 90_000, 'test'), pushed('b', 90_001, 'run'), judged('a', 90_002, 'test', 's')])
  assert.equal(state.phase, 'waiting_checks')
})

test('a check that is ignored by its name or its app is as none', () => {
  assert.equal(tell([seen('a', 90_000, check('x', 'success'), check('codecov', 'failure'))]).state.phase, 'green')
  const app = seen('a', 90_000, check('x', 'success'), check('patch', 'failure', 'codecov'))
  assert.equal(tell([app]).state.phase, 'green')
})

test('the same failure told often begins one turn', () => {
  const { did } = tell([
    fails('a', 90_000, 'test'),
    fails('a', 90_001, 'test'),
    judged('a', 90_002, 'test', 's'),
    fails('a', 90_003, 'test'),
    judged('a', 90_004, 'test', 's'),
  ])
  assert.deepEqual(did('start_fix'), [{ do: 'start_fix', attempt: 1, checks: ['test'], prompts: [] }])
})

/** Tries to fix it again and again; each time it fails in another way, or the same. */
function keepFailing(rounds: number, signature: (round: number) => string): FixerEvent[] {
  const heads = ['a', ...Array.from({ length: rounds }, (_, round) => `h${round}`)]
  return heads.slice(0, rounds).flatMap((head, round) => {
    const at = (round + 1) * 10 * minute
    return [
      fails(head, at, 'test'),
      judged(head, at + 1, 'test', signature(round)),
      fixed(round + 1, heads[round + 1]!, at + 2),
    ]
  })
}

test('gives up after three tries for each check, and says so once', () => {
  const { state, did } = tell(keepFailing(4, (round) => `s${round}`))
  assert.equal(did('start_fix').length, 3)
  assert.deepEqual([state.phase, state.reason], ['gave_up', 'all tries are used up'])
  assert.equal(did('comment').length, 1)
  const other = tell([fails('h2', 90 * minute, 'lint')], {}, { ...state, phase: 'waiting_checks' })
  assert.equal(other.state.phase, 'detecting', 'another check has tries of its own')
})

test('gives up where two tries have changed nothing about a failure', () => {
  const { state, did } = tell(keepFailing(3, () => 'same'))
  assert.deepEqual([did('start_fix').length, state.reason], [2, 'they fail just as before'])
})

test('fixes nothing without a word where that is switched off', () => {
  const events = [fails('a', 90_000, 'test'), judged('a', 90_001, 'test', 's')]
  for (const more of [{ retryCount: 0 }, { retryCounts: { test: 0 } }, { retryCounts: { actions: 0 } }]) {
    const { state, did } = tell(events, more)
    assert.deepEqual([state.phase, did('start_fix').length, did('comment').length], ['gave_up', 0, 0])
  }
})

test('what may be chance is run again once for each commit, and costs no try', () => {
  const again = tell([
    fails('a', 90_000, 'test'),
    judged('a', 90_001, 'test', 's', 'flaky'),
    fails('a', 90_002, 'test'),
    fails('a', 300_000, 'test'),
    judged('a', 300_001, 'test', 's', 'flaky'),
  ])
  assert.equal(again.did('rerun').length, 1)
  assert.deepEqual([again.state.phase, again.state.fixes], ['gave_up', 0])
  const green = tell([
    fails('a', 9e4, 'test'),
    judged('a', 9e4, 'test', 's', 'infra'),
    seen('a', 3e5, check('test', 'success')),
  ])
  assert.equal(green.state.phase, 'green')
})

test('what no change of files fixes is left to people', () => {
  for (const verdict of ['external_metadata', 'not_from_this_pr'] as const) {
    const { state, did } = tell([fails('a', 9e4, 'title'), judged('a', 9e4, 'title', 's', verdict)])
    assert.deepEqual([state.phase, did('start_fix').length, did('rerun').length], ['gave_up', 0, 0])
  }
})

test('stops its turn when somebody else pushes, and goes on when it is sent on', () => {
  const stopped = tell([
    fails('a', 9e4, 'test'),
    judged('a', 9e4, 'test', 's'),
    { type: 'fix_begun', attempt: 1, turn: 2, at: 9e4 },
    pushed('z', 9e4 + 2),
    fixed(1, 'b', 9e4 + 3),
    fails('z', 3e5, 'test'),
  ])
  assert.deepEqual([stopped.state.phase, stopped.state.head], ['paused', 'z'])
  assert.deepEqual(stopped.did('stop_fix'), [{ do: 'stop_fix', turn: 2 }])
  assert.deepEqual([stopped.did('start_fix').length, stopped.did('comment').length], [1, 1])
  const called = tell([{ type: 'resumed', at: 4e5 }, fails('z', 5e5, 'test')], {}, stopped.state)
  assert.equal(called.state.phase, 'detecting')
  assert.equal(called.state.attempts['test'], 1, 'its tries stay as they are')
})

test('whoever wants it to try again gives it all of its tries back, unless it was sent away', () => {
  const twice = [fails('a', 9e4, 'test'), judged('a', 9e4 + 1, 'test', 's'), fixed(1, 'b', 1e5)]
  const givenUp = tell([...twice, fails('b', 2e5, 'test'), judged('b', 2e5, 'test', 's')], { retryCount: 1 })
  assert.equal(givenUp.state.phase, 'gave_up')
  const retry: FixerEvent[] = [{ type: 'retried', at: 3e5 }, fails('b', 4e5, 'test'), judged('b', 4e5, 'test', 's')]
  const again = tell(retry, { retryCount: 1 }, givenUp.state)
  assert.deepEqual([again.state.phase, again.did('start_fix').length], ['fixing', 1])
  const banned = tell([{ type: 'banned', at: 25e4 }, ...retry], { retryCount: 1 }, givenUp.state)
  assert.deepEqual([banned.state.suspended, banned.effects], ['banned', []])
})

test('whoever stops it while it fixes something stops that turn, and nothing that people have asked for', () => {
  const begun: FixerEvent = { type: 'fix_begun', attempt: 1, turn: 2, at: 9e4 }
  const stop: FixerEvent = { type: 'stopped', at: 1e5 }
  const { state, did } = tell([fails('a', 9e4, 'test'), judged('a', 9e4, 'test', 's'), begun, stop, stop])
  assert.deepEqual([state.phase, state.reason], ['paused', 'a person has stopped the agent'])
  assert.deepEqual(did('stop_fix'), [{ do: 'stop_fix', turn: 2 }])
  const idle = tell([seen('a', 9e4, check('test', 'success')), stop])
  assert.deepEqual([idle.state.phase, idle.did('stop_fix')], ['green', []])
})

test('says nothing of a push of others where it has nothing to do', () => {
  const { state, did } = tell([seen('a', 9e4, check('test', 'success')), pushed('z', 1e5)])
  assert.deepEqual([state.phase, did('comment').length], ['paused', 0])
})

test('goes on from what another program has pushed, and fixes that, too', () => {
  const begun = tell([
    fails('a', 9e4, 'lint'),
    judged('a', 9e4, 'lint', 's'),
    { type: 'fix_begun', attempt: 1, turn: 2, at: 9e4 },
    pushed('formatted', 1e5, 'program'),
    fixed(1, null, 1e5),
  ])
  assert.deepEqual(begun.did('stop_fix'), [{ do: 'stop_fix', turn: 2 }], 'what it has begun is on an older commit')
  assert.deepEqual([begun.state.phase, begun.state.head], ['waiting_checks', 'formatted'])
  const failing = [fails('formatted', 2e5, 'test'), judged('formatted', 2e5, 'test', 's')]
  assert.equal(tell(failing, {}, begun.state).state.phase, 'fixing')
  assert.deepEqual(begun.did('comment'), [])
  const green = tell([seen('formatted', 2e5, check('lint', 'success'))], {}, begun.state)
  assert.equal(green.state.phase, 'green')
})

test('is not drawn into a game with another program: after some turns a person is needed', () => {
  const rounds = [1, 2, 3, 4, 5].flatMap((round) => {
    const at = round * 10 * minute
    const theirs = `theirs${round}`
    return [
      pushed(theirs, at, 'program'),
      fails(theirs, at + 2 * minute, `check${round}`),
      judged(theirs, at + 2 * minute, `check${round}`, 's'),
      fixed(round, `ours${round}`, at + 3 * minute),
    ]
  })
  const { state, did } = tell(rounds)
  assert.deepEqual([state.phase, did('start_fix').length, did('comment').length], ['gave_up', 3, 1])
  assert.match(state.reason ?? '', /other programs/)
  const back = tell([{ type: 'unbanned', at: 1e7 }, fails('theirs5', 2e7, 'new')], {}, state)
  const anew = tell([judged('theirs5', 2e7, 'new', 's')], {}, back.state)
  assert.equal(anew.state.phase, 'fixing', 'who takes it back gives it new tries')
})

test("a program's push ends neither a person's pause nor what the agent has given up", () => {
  const paused = tell([pushed('theirs', 9e4), pushed('formatted', 1e5, 'program'), fails('formatted', 3e5, 'test')])
  assert.deepEqual([paused.state.phase, paused.state.head], ['paused', 'formatted'])
  const options = tell([
    fails('a', 9e4, 'title'),
    judged('a', 9e4, 'title', 's', 'external_metadata'),
    pushed('formatted', 1e5, 'program'),
  ])
  assert.deepEqual([options.state.phase, options.state.head], ['gave_up', 'formatted'])
})

test('does nothing while it is banned, and begins anew afterwards', () => {
  const events: FixerEvent[] = [fails('a', 9e4, 'test'), judged('a', 9e4, 'test', 's')]
  const banned = tell([...events, { type: 'banned', at: 9e4 }, fails('a', 3e5, 'test'), fixed(1, 'b', 3e5)])
  assert.deepEqual(
    [banned.did('start_fix').length, banned.did('stop_fix').length, banned.state.suspended],
    [1, 1, 'banned'],
  )
  const back = tell([{ type: 'unbanned', at: 4e5 }, fails('a', 5e5, 'test')], {}, banned.state)
  assert.deepEqual([back.state.phase, back.state.attempts, back.state.suspended], ['detecting', {}, null])
})

test('a pull request that is closed is left alone until it is open again', () => {
  const closed = tell([
    fails('a', 9e4, 'test'),
    { type: 'closed', at: 9e4 },
    { type: 'closed', at: 9e4 },
    fails('a', 3e5, 'test'),
  ])
  assert.equal(closed.state.phase, 'closed')
  assert.equal(
    tell([{ type: 'reopened', at: 4e5 }, fails('a', 5e5, 'test')], {}, closed.state).state.phase,
    'detecting',
  )
})

test('a turn that pushes nothing is the last, and says why', () => {
  const begun = [fails('a', 9e4, 'test'), judged('a', 9e4, 'test', 's')]
  assert.equal(tell([...begun, fixed(1, null, 9e4)]).state.reason, 'the agent has changed nothing')
  const stop: FixerEvent = { type: 'fix_ended', attempt: 1, pushed: null, isStopped: true, reason: null, at: 9e4 }
  const stopped = tell([...begun, stop])
  assert.deepEqual([stopped.state.phase, stopped.did('comment').length], ['paused', 0])
})

test('gives up when checks have failed for too long', () => {
  const events = [...keepFailing(1, () => 's'), fails('h0', 251 * minute, 'test')]
  assert.equal(tell(events).state.reason, 'the time for it is over')
})

const compared = (head: string, at: number, mergeability: Mergeability): FixerEvent => ({
  type: 'compared',
  head,
  mergeability,
  at,
})

test('resolves conflicts with its base before it minds checks, and asks a person after two turns in a row', () => {
  const begun = tell([compared('a', 1, 'conflicts'), fails('a', 9e4, 'test')])
  assert.deepEqual(begun.did('start_fix'), [{ do: 'start_fix', attempt: 1, checks: [], prompts: [], isUpdate: true }])
  assert.equal(begun.did('diagnose').length, 0)
  const twice = [fixed(1, 'b', 1e5), compared('b', 1e5, 'conflicts'), fixed(2, 'c', 2e5)]
  const again = tell([...twice, compared('c', 2e5, 'conflicts')], {}, begun.state)
  assert.equal(again.did('start_fix').length, 1)
  assert.equal(again.state.phase, 'gave_up')
  assert.match(
    JSON.stringify(again.did('comment')),
    /conflicts with its base branch.*it still does.*A person is needed/,
  )
  // Once they are resolved, the next ones are as the first.
  const clean = tell([...twice, compared('c', 2e5, 'clean'), compared('c', 3e5, 'conflicts')], {}, begun.state)
  assert.equal(clean.state.phase, 'fixing')
  const resumed = tell([{ type: 'resumed', at: 3e5 }, compared('c', 4e5, 'conflicts')], {}, again.state)
  assert.equal(resumed.state.phase, 'fixing')
})

test('a turn that leaves the conflicts as they are says why', () => {
  const { state, did } = tell([compared('a', 1, 'conflicts'), fixed(1, null, 1e5)])
  assert.equal(state.reason, 'it conflicts with its base branch: the agent has changed nothing')
  assert.match(JSON.stringify(did('comment')), /I have not resolved that: the agent has changed nothing/)
})

test('asks the host once for each head to bring it up to date, and does nothing where that is switched off', () => {
  const behind = [compared('a', 1, 'behind'), compared('a', 2, 'behind')]
  assert.deepEqual(tell(behind).effects, [{ do: 'update_branch', head: 'a' }])
  assert.equal(tell(behind).state.phase, 'waiting_checks')
  const off = tell([...behind, compared('a', 3, 'conflicts')], { updateBranch: 'off' })
  assert.deepEqual([off.effects, off.state.phase], [[], 'waiting_checks'])
  assert.deepEqual(tell([compared('a', 1, 'impossible'), compared('b', 1, 'conflicts')]).effects, [])
})

test('has the branch deleted after the merge where people want that', () => {
  const merged: FixerEvent[] = [1, 2].map((at) => ({ type: 'merged', at }))
  assert.deepEqual(tell(merged, { deleteBranch: true }).effects, [{ do: 'delete_branch' }])
  assert.deepEqual(tell(merged).effects, [])
  assert.deepEqual(tell([{ type: 'closed', at: 1 }], { deleteBranch: true }).effects, [])
})

test('tells the turn what people want where this check is fixed', () => {
  const { did } = tell([fails('a', 9e4, 'lint'), judged('a', 9e4, 'lint', 's')])
  assert.partialDeepStrictEqual(did('start_fix'), [{ prompts: ['Run the formatter.'] }])
})

/** Whatever comes in whatever order: no more turns than are allowed, and none where the agent has no business. */
function proveBounds(step: typeof stepFixer): void {
  let seed = 1
  const generate = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
    // The low bits come in a short circle.
    return (seed >>> 12) % below
  }
  for (let game = 0; game < 3_000; game++) {
    let [state, at, fixes, unbans, isTheirs] = [initialState({ head: 'a', at: 0 }), 0, 0, 0, false]
    let [isOfProgram, forPrograms, updates] = [false, 0, 0]
    for (let move = 0; move < 80; move++) {
      at += generate(200_000)
      const head = ['a', 'b', 'c', state.head, state.head][generate(5)]!
      const rare = (
        ['banned', 'removed', 'unbanned', 'closed', 'merged', 'reopened', 'resumed', 'retried', 'stopped'] as const
      )[generate(9)]!
      const checks = [
        check('test', generate(4) ? 'failure' : 'success'),
        check('build', generate(4) ? 'success' : null),
      ]
      const events: FixerEvent[] = [
        pushed(['a', 'b', 'c'][generate(3)]!, at, generate(12) ? 'run' : 'person'),
        pushed(`p${move}`, at, 'program'),
        seen(head, at, ...checks),
        seen(head, at, ...checks),
        judged(head, at, 'test', `s${generate(9)}`, generate(9) ? 'fixable' : 'flaky'),
        judged(state.head, at, 'test', `s${generate(9)}`),
        fixed(generate(3) ? state.fixes : generate(9), generate(3) ? `n${move}` : null, at),
        generate(9) ? seen(state.head, at, check('test', 'failure')) : { type: rare, at },
        compared(head, at, generate(4) ? 'conflicts' : 'clean'),
      ]
      // Mostly what comes next, so that games get far; at times anything.
      const next: Partial<Record<FixerState['phase'], FixerEvent>> = {
        waiting_checks: seen(state.head, at + 2 * minute, check('test', 'failure')),
        detecting: judged(state.head, at, 'test', `s${move}`),
        fixing: fixed(state.fixes, `n${move}`, at),
      }
      const event = (generate(2) ? next[state.phase] : undefined) ?? events[generate(events.length)]!
      const { phase, suspended, head: headBefore } = state
      const pendingOf = (report: FixerEvent) =>
        report.type === 'checks' && report.checks.some(({ status }) => status !== 'completed')
      const stepped = step(state, event, { ...settings, programFixesMax: 1 })
      state = stepped.state
      const isTakenBack = event.type === 'unbanned' || (event.type === 'retried' && !suspended)
      if (isTakenBack) unbans++
      const isClean = event.type === 'compared' && event.mergeability === 'clean' && event.head === headBefore
      if (isTakenBack || event.type === 'resumed' || isClean) updates = 0
      if (isTakenBack || event.type === 'resumed') isTheirs = false
      for (const effect of stepped.effects) {
        if (effect.do === 'diagnose') {
          assert.ok(!pendingOf(event), 'diagnosed while checks were at work')
          assert.ok('head' in event && event.head === headBefore, 'diagnosed another commit than the head')
        }
        if (effect.do !== 'start_fix' && effect.do !== 'rerun' && effect.do !== 'diagnose') continue
        assert.ok(!suspended && phase !== 'closed' && phase !== 'merged', `${effect.do} while ${suspended ?? phase}`)
        assert.ok(!isTheirs, `${effect.do} after a push of somebody else`)
        assert.notEqual(phase, 'fixing', `${effect.do} while it is at work already`)
        if (effect.do !== 'start_fix') continue
        if (effect.isUpdate) {
          updates++
          assert.ok('head' in event && event.head === headBefore, 'began for another commit than the head')
          continue
        }
        fixes++
        if (isOfProgram) forPrograms++
      }
      const isNew = event.type === 'pushed' && event.by === 'person' && event.head !== headBefore
      // A pull request that is opened again is looked at as a new one.
      if (state.head !== headBefore) isOfProgram = event.type === 'pushed' && event.by === 'program'
      if (isNew && !suspended && phase !== 'closed' && phase !== 'merged') isTheirs = true
      if (event.type === 'reopened' && (phase === 'closed' || phase === 'merged')) isTheirs = false
      assert.ok(forPrograms <= 1 + unbans, `${forPrograms} turns for what programs have pushed`)
      assert.ok(updates <= 2, `${updates} turns in a row for conflicts`)
      assert.ok(fixes <= 3 * (1 + unbans), `${fixes} turns with ${unbans} times taken back`)
    }
  }
}

test('whatever happens in whatever order, it begins no more turns than are allowed, and none where it has no business', () => {
  proveBounds(stepFixer)
})

/** What could be wrong with it, and is noticed. */
const mutations: [from: string, to: string][] = [
  ['this.#attemptsAt(check.name) < this.#limitOf(check)', 'true'],
  ['this.#attemptsAt(name) + 1', '1'],
  ['head === this.state.head && minding.has(this.state.phase)', 'minding.has(this.state.phase)'],
  ['head === this.state.head && minding.has(this.state.phase)', 'head === this.state.head'],
  ['> this.#settings.updatesMax', '> 1000'],
  ["return this.#enter('paused', 'somebody else has pushed')", 'return this.#wait()'],
  ["if (state.phase === 'paused') return", ''],
  ['> this.#settings.programFixesMax', '> 1000'],
  ['!isPending && this.#at >= state.quietUntil', 'this.#at >= state.quietUntil'],
  ['if (this.state.suspended || ended.has(this.state.phase)) return\n    if (event', 'if (event'],
]

test('each wrong turn of it would be noticed', async () => {
  const source = stripTypeScriptTypes(readFileSync(new URL('step-fixer.ts', import.meta.url), 'utf8'))
  const located = source.replaceAll(
    /from '\.\/(.*?)'/g,
    (_, name: string) => `from '${new URL(name, import.meta.url)}'`,
  )
  for (const [from, to] of mutations) {
    assert.ok(located.includes(from), `there is no ${from} any more`)
    const url = `data:text/javascript,${encodeURIComponent(located.replace(from, () => to))}`
    const { stepFixer: mutant } = (await import(url)) as { stepFixer: typeof stepFixer }
    assert.throws(() => proveBounds(mutant), assert.AssertionError, `nobody notices ${to} in place of ${from}`)
  }
})
