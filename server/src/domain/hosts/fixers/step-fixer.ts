import { ofCheck, type CheckSettings } from './check-settings.ts'
import type { PullSettings } from '#domain/repos/pull-settings.ts'
import type { JudgedCheck, FixerEffect, FixerEvent, FixerPhase, FixerState, SeenCheck } from '#domain/hosts/fixer.ts'

export type StepSettings = Omit<CheckSettings, 'settleSeconds'> &
  Pick<PullSettings, 'updateBranch' | 'deleteBranch'> & {
    settleMs: number
    /** How long checks may fail all the time before the agent gives up. */
    fixMsMax: number
    /** In how many turns it fixes what other programs have pushed. */
    programFixesMax: number
    /** In how many turns in a row it resolves conflicts with the base. */
    updatesMax: number
    /** Between two looks at checks that are not done: at least, and at most. */
    lookMsMin: number
    lookMsMax: number
  }
export type Stepped = { state: FixerState; effects: FixerEffect[] }

/** What an agent does about its pull request: where it stands and what it learns decide, and nothing else. */
export function stepFixer(before: FixerState, event: FixerEvent, settings: StepSettings): Stepped {
  const step = new Step(structuredClone(before), event.at, settings)
  step.take(event)
  return { state: step.state, effects: step.effects }
}

const failing = new Set(['failure', 'timed_out', 'startup_failure'])
/** Where it minds what checks say. */
const minding = new Set<FixerPhase>(['waiting_checks', 'rerunning', 'green'])
/** Where a person's push comes in between. */
const working = new Set<FixerPhase>(['detecting', 'rerunning', 'fixing'])
const ended = new Set<FixerPhase>(['closed', 'merged'])

const stoppedReason = 'a person has stopped the agent'

class Step {
  readonly state: FixerState
  readonly effects: FixerEffect[] = []
  readonly #at: number
  readonly #settings: StepSettings

  constructor(state: FixerState, at: number, settings: StepSettings) {
    this.state = state
    this.#at = at
    this.#settings = settings
  }

  take(event: FixerEvent): void {
    if (event.type === 'closed' || event.type === 'merged') return this.#end(event.type)
    if (event.type === 'banned' || event.type === 'removed') return this.#suspend(event.type)
    if (event.type === 'unbanned') return this.#takeBack()
    if (event.type === 'reopened') return this.#reopen()
    if (event.type === 'pushed') return this.#follow(event)
    if (event.type === 'made_ready') this.state.isOurDraft = false
    if (this.state.suspended || ended.has(this.state.phase)) return
    if (event.type === 'compared') this.#update(event)
    if (event.type === 'checks') this.#weigh(event)
    if (event.type === 'diagnosed') this.#treat(event)
    if (event.type === 'fix_begun') this.#begin(event)
    if (event.type === 'fix_ended') this.#finish(event)
    if (event.type === 'resumed') this.#resume()
    if (event.type === 'retried') this.#retry()
    if (event.type === 'stopped') this.#stop()
  }

  #enter(phase: FixerPhase, reason: string | null = null): void {
    Object.assign(this.state, { phase, since: this.#at, reason })
  }

  /** Looks at the checks of the head, once they may all be there. */
  #wait(): void {
    this.#enter('waiting_checks')
    this.state.quietUntil = this.#at + this.#settings.settleMs
    this.#look(this.state.quietUntil)
  }

  #look(at: number): void {
    this.effects.push({ do: 'look', at })
  }

  #stopFix(): void {
    if (this.state.fix) this.effects.push({ do: 'stop_fix', turn: this.state.fix.turn })
    this.state.fix = null
  }

  #tapOut(reason: string, checks: string[]): void {
    const about = checks.length ? ` (${checks.map(quoted).join(', ')})` : ''
    this.#giveUp(reason, `I stopped fixing checks: ${reason}${about}.`)
  }

  #giveUp(reason: string, text: string): void {
    this.state.fix = null
    this.#enter('gave_up', reason)
    const next = 'A person is needed. Follow up on my run to let me try again.'
    this.effects.push({ do: 'comment', about: 'gave_up', text: `${text} ${next}` })
  }

  #leaveConflicts(reason: string): void {
    const text = `This pull request conflicts with its base branch, and I have not resolved that: ${reason}.`
    this.#giveUp(`it conflicts with its base branch: ${reason}`, text)
  }

  #end(phase: 'closed' | 'merged'): void {
    if (this.state.phase === phase) return
    this.#stopFix()
    this.#enter(phase)
    if (phase === 'merged' && this.#settings.deleteBranch) this.effects.push({ do: 'delete_branch' })
  }

  #suspend(suspended: 'banned' | 'removed'): void {
    this.#stopFix()
    this.state.suspended = suspended
    if (!ended.has(this.state.phase)) this.#enter('waiting_checks')
  }

  #takeBack(): void {
    this.state.suspended = null
    this.#retry()
  }

  /** With all its tries, as if it were new here. */
  #retry(): void {
    Object.assign(this.state, { attempts: {}, signatures: {}, reruns: {}, failingSince: null })
    Object.assign(this.state, { fixesForPrograms: 0, updates: 0 })
    // What is at work goes on.
    if (!ended.has(this.state.phase) && !this.state.fix) this.#wait()
  }

  #stop(): void {
    if (!this.state.fix) return
    this.#stopFix()
    this.#enter('paused', stoppedReason)
  }

  #reopen(): void {
    if (!ended.has(this.state.phase)) return
    this.#wait()
  }

  #follow({ head, by }: FixerEvent & { type: 'pushed' }): void {
    const { state } = this
    if (head === state.head) return
    state.head = head
    state.isHeadOfProgram = by === 'program'
    if (state.suspended || ended.has(state.phase)) return
    if (by === 'person') {
      if (working.has(state.phase)) {
        const text = `Somebody else has pushed to this branch, so I fix no more checks here until I am sent on.`
        this.effects.push({ do: 'comment', about: 'paused', text })
      }
      this.#stopFix()
      return this.#enter('paused', 'somebody else has pushed')
    }
    state.quietUntil = this.#at + this.#settings.settleMs
    if (state.phase === 'paused') return
    if (by === 'program') return this.#takeOver()
    if (state.phase !== 'fixing') this.#wait()
  }

  /** What another program has pushed is where it goes on from; that gives back no tries, nor what it has given up. */
  #takeOver(): void {
    if (this.state.phase === 'gave_up') return
    // Its work is on an older commit, and would be refused.
    this.#stopFix()
    this.#wait()
  }

  #minds(head: string): boolean {
    return head === this.state.head && minding.has(this.state.phase)
  }

  /** Conflicts come before checks, which hosts may not even run then. */
  #update({ head, mergeability }: FixerEvent & { type: 'compared' }): void {
    const { state } = this
    if (!this.#minds(head)) return
    if (mergeability === 'clean') state.updates = 0
    if (this.#settings.updateBranch === 'off') return
    if (mergeability === 'behind' && state.updatedFrom !== head) {
      state.updatedFrom = head
      this.effects.push({ do: 'update_branch', head })
    }
    if (mergeability !== 'conflicts') return
    const updates = (state.updates ?? 0) + 1
    if (updates > this.#settings.updatesMax) return this.#leaveConflicts('it still does after I have tried')
    state.updates = updates
    this.#startFix({ checks: [], prompts: [], isUpdate: true })
  }

  #startFix(fix: { checks: string[]; prompts: string[]; isUpdate?: boolean }): void {
    const { state } = this
    state.fixes++
    const { prompts, ...begun } = { ...fix, attempt: state.fixes }
    state.fix = { ...begun, turn: null }
    this.#enter('fixing')
    this.effects.push({ do: 'start_fix', ...begun, prompts })
  }

  #weigh({ head, checks }: FixerEvent & { type: 'checks' }): void {
    const { state } = this
    if (!this.#minds(head)) return
    const counted = checks.filter((check) => !this.#isIgnored(check))
    const bad = counted.filter(({ conclusion }) => conclusion !== null && failing.has(conclusion))
    const isPending = counted.some(({ status }) => status !== 'completed')
    const isSettled = !isPending && this.#at >= state.quietUntil
    // What was run again is judged by how it ends, and not by how it was.
    const isUrgent = state.phase !== 'rerunning' && bad.some((check) => this.#isUrgent(check))
    if (!isSettled && !(bad.length && isUrgent)) return this.#lookLater(counted.length > 0)
    if (!counted.length) return
    if (!bad.length) {
      state.failingSince = null
      if (state.phase !== 'green') this.#enter('green')
      return
    }
    const names = namesOf(bad)
    state.failingSince ??= this.#at
    if (this.#at - state.failingSince > this.#settings.fixMsMax) return this.#tapOut('the time for it is over', names)
    this.#enter('detecting')
    this.effects.push({ do: 'diagnose', head, checks: names })
  }

  #isIgnored({ name, app }: SeenCheck): boolean {
    return this.#settings.ignoredChecks.some((word) => word === name || word === app)
  }

  #isUrgent({ name, app }: SeenCheck): boolean {
    return this.#settings.highPriorityApps.some((word) => word === name || word === app)
  }

  /** The longer checks take, the less often they are looked at. */
  #lookLater(isAnything: boolean): void {
    const { quietUntil, since } = this.state
    if (!isAnything && this.#at >= quietUntil) return
    const pause = Math.min(Math.max((this.#at - since) / 2, this.#settings.lookMsMin), this.#settings.lookMsMax)
    this.#look(this.#at < quietUntil ? quietUntil : this.#at + pause)
  }

  #treat({ head, checks }: FixerEvent & { type: 'diagnosed' }): void {
    const { state } = this
    if (state.phase !== 'detecting' || head !== state.head) return
    // They do not fail any more.
    if (!checks.length) return this.#wait()
    // A commit may have several checks of one name.
    const once = new Map(checks.map((check) => [check.name, check]))
    const fixable = [...once.values()].filter(({ verdict }) => verdict === 'fixable')
    if (!fixable.length) return this.#tryAgain(checks)
    const isOff = (check: JudgedCheck) => this.#limitOf(check) === 0
    const isStuck = ({ name, signature }: JudgedCheck) =>
      this.#attemptsAt(name) >= 2 && state.signatures[name] === signature
    const isLeft = (check: JudgedCheck) => this.#attemptsAt(check.name) < this.#limitOf(check)
    const fixed = fixable.filter((check) => isLeft(check) && !isStuck(check))
    if (!fixed.length) {
      if (fixable.every(isOff)) return this.#enter('gave_up', 'fixing these checks is switched off')
      const reason = fixable.some(isStuck) ? 'they fail just as before' : 'all tries are used up'
      return this.#tapOut(reason, namesOf(fixable))
    }
    // Two programs that answer each other never end.
    const fixesForPrograms = (state.fixesForPrograms ?? 0) + (state.isHeadOfProgram ? 1 : 0)
    if (fixesForPrograms > this.#settings.programFixesMax)
      return this.#tapOut('other programs push again and again what fails', namesOf(fixed))
    state.fixesForPrograms = fixesForPrograms
    for (const { name, signature } of fixed) {
      state.attempts[name] = this.#attemptsAt(name) + 1
      state.signatures[name] = signature
    }
    const prompts = fixed.flatMap((check) => ofCheck(this.#settings.customPrompts, check) ?? [])
    this.#startFix({ checks: namesOf(fixed), prompts: [...new Set(prompts)] })
  }

  #attemptsAt(name: string): number {
    return this.state.attempts[name] ?? 0
  }

  #limitOf(check: JudgedCheck): number {
    return ofCheck(this.#settings.retryCounts, check) ?? this.#settings.retryCount
  }

  /** What a change of files does not fix may pass the next time, once for each head. */
  #tryAgain(checks: JudgedCheck[]): void {
    const { state } = this
    const isChance = ({ verdict }: JudgedCheck) => verdict === 'flaky' || verdict === 'infra'
    const again = checks.filter((check) => isChance(check) && state.reruns[check.name] !== state.head)
    if (!again.length) return this.#tapOut('no change of files fixes them', namesOf(checks))
    const names = namesOf(again)
    for (const name of names) state.reruns[name] = state.head
    this.#enter('rerunning')
    state.quietUntil = this.#at + this.#settings.settleMs
    this.effects.push({ do: 'rerun', head: state.head, checks: names, at: this.#at })
    this.#look(state.quietUntil)
  }

  #begin({ attempt, turn }: FixerEvent & { type: 'fix_begun' }): void {
    if (this.state.fix?.attempt === attempt) this.state.fix.turn = turn
  }

  #finish({ attempt, pushed, isStopped, reason }: FixerEvent & { type: 'fix_ended' }): void {
    const { fix } = this.state
    if (fix?.attempt !== attempt) return
    this.state.fix = null
    if (isStopped) return this.#enter('paused', stoppedReason)
    if (pushed !== null) {
      Object.assign(this.state, { head: pushed, isHeadOfProgram: false })
      return this.#wait()
    }
    const why = reason ?? 'the agent has changed nothing'
    if (fix.isUpdate) this.#leaveConflicts(why)
    else this.#tapOut(why, fix.checks)
  }

  #resume(): void {
    if (this.state.phase !== 'paused' && this.state.phase !== 'gave_up') return
    this.state.updates = 0
    this.#wait()
  }
}

const namesOf = (checks: readonly { name: string }[]): string[] => [...new Set(checks.map(({ name }) => name))]

/** As a page shows it that makes links of names: what a check is called its host, or anybody's CI, has chosen. */
const quoted = (name: string) =>
  `\`${name
    .replaceAll(/[`\s]+/g, ' ')
    .trim()
    .slice(0, 100)}\``
