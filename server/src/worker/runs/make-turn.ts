import type { Ask, Entry, Image, Intent, McpServers, Outcome, Past, Turn } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import type { App } from '#app/app.ts'
import { crashAt } from '#base/crash-points.ts'
import type { LogSize } from '#base/entry.ts'
import type { Json, JsonObject } from '#base/json.ts'
import { LogRefused } from '#domain/runs/logs/taking-log.ts'
import type { TurnFacts } from '#domain/runs/runs/get-turn.ts'
import { listRefusals } from '#domain/runs/egress/list-refusals.ts'
import { createQuestion } from '#domain/runs/questions/create-question.ts'
import type { RunSecret } from '#domain/repos/secrets/unseal-secrets.ts'
import { answerKey } from '#domain/runs/steps/answer-key.ts'
import { finishStep, type FinishStep } from '#domain/runs/steps/finish-step.ts'
import { listPast, type PastItem } from '#domain/runs/steps/list-past.ts'
import { startStep, type StartedStep, type StartStep } from '#domain/runs/steps/start-step.ts'
import { PauseWanted, type Holder } from '#domain/runs/holder.ts'
import { takeMessages } from '#domain/runs/steps/take-messages.ts'
import { cutTool } from './cut-tool.ts'
import { childRuns } from './turn/child-runs.ts'
import { durableNote } from './turn/durable-note.ts'
import { giveSecrets } from './give-secrets.ts'
import type { TurnLimits } from './turn/limit-turn.ts'
import { readyEntries } from './turn/ready-entries.ts'
import { refusedLog } from '#worker/failures/refused-log.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'
import { spendMoney, type Spending } from './turn/spend-money.ts'
import { showLive, type ShowLive } from './turn/show-live.ts'
import { showProgress, type ShowProgress } from './turn/show-progress.ts'
import { workspaceKey, type Made, type Workspace } from './steps/open-workspace.ts'
import { TurnStopped } from '#worker/failures/turn-stopped.ts'

export type MakeTurn = {
  holder: Holder
  facts: TurnFacts
  /** Undefined where the turn needs none. */
  workspace: Workspace | undefined
  sandbox: Sandbox
  /** What its commands may be given; the engine knows their names. */
  secrets: readonly RunSecret[]
  mcp: McpServers | undefined
  limits: TurnLimits
}

/** The turn as an engine sees it: everything it does goes through here into the database, before and after. */
export async function makeTurn(app: App, input: MakeTurn): Promise<Turn> {
  const { holder, facts, workspace, secrets, limits } = input
  const past = (await listPast(app.pool, holder)).flatMap(pastOf)
  const redactor = app.redactors.of(holder)
  const sandbox = giveSecrets(input.sandbox, secrets)
  const progress = showProgress(app, { runId: holder.runId, sandbox, redactor, onOutput: () => limits.markProgress() })
  limits.beginEngine({ stepsTaken: past.filter(({ type, turn }) => type === 'step' && turn === holder.turn).length })
  const spending = spendMoney(app, { holder, limits })
  const live = showLive(app, { redactor })
  return {
    organizationId: holder.organizationId,
    runId: holder.runId,
    number: holder.turn,
    prompt: facts.prompt,
    metadata: facts.metadata,
    rules: facts.rules,
    outputSchema: facts.outputSchema,
    planApproval: facts.planApproval,
    readSettings: async () => {
      const { providersVersion, ...settings } = await limits.readSettings()
      // Where nobody has said anything, that is all there is to read.
      if (!settings.hasMessages) crashAt('messages.read')
      return { ...settings, providers: await app.redactors.openProviders(holder, providersVersion) }
    },
    repository:
      facts.repo && workspace
        ? {
            name: facts.repo.name,
            branch: workspace.branch,
            baseBranch: workspace.baseBranch,
            habits: workspace.habits,
            checks: workspace.checks,
          }
        : null,
    children: facts.mayStartRuns ? childRuns(app, { holder, limits }) : undefined,
    ...(workspace && { hooks: workspace.hooks }),
    mcp: input.mcp,
    sandbox: progress.sandbox,
    secrets: secrets.map(({ name, isEverywhere }) => ({ name, isEverywhere })),
    signal: limits.signal,
    past,
    step: (intent, act, options) =>
      durableStep(app, { holder, intent, act, limits, progress, live, spending, ...options }),
    write: (kind, piece, options) => {
      limits.markProgress()
      live.write(kind, piece, options)
    },
    listRefusals: (sinceMs) => listRefusals(app.pool, { ...holder, sinceMs }),
    takeMoney: (wish) => spending.take(wish),
    ask: (question) => durableAsk(app, { holder, question, limits }),
    note: async (key, entries) => void (await durableNote(app, { holder, key, entries, limits })),
    takeMessages: async () => {
      const messages = await takeMessages(app.pool, { holder, mask: app.mask, blobs: app.blobs })
      crashAt('messages.read')
      if (messages.length) app.notifier.notifyRun(holder.runId)
      return messages
    },
    readImage: (image) => readImage(app, holder, image),
  }
}

type DurableStep<T extends Json> = {
  holder: Holder
  intent: Intent
  act: (signal: AbortSignal) => Promise<Outcome<T>>
  interrupted?: () => Outcome<T>
  limits: TurnLimits
  progress: ShowProgress
  live: ShowLive
  spending: Spending
}

async function durableStep<T extends Json>(
  app: App,
  { holder, intent, act, interrupted, limits, progress, live, spending }: DurableStep<T>,
): Promise<T> {
  const { signal } = limits
  signal.throwIfAborted()
  if (intent.kind === 'model') await limits.checkBudget()
  signal.throwIfAborted()
  crashAt(`${intent.kind}.wanted`)
  const shown = cutTool(intent, { mask: app.mask, now: app.clock.now() })
  const started = await startOrPause(app, { holder, ...intent, shown }, limits)
  if (started.done) return started.response as T
  const { runId, turn } = holder
  live.begin({ runId, turn, step: started.step, afterSeq: started.lastSeq }, shown)
  using _ = {
    [Symbol.dispose]: () => {
      progress.begin(null)
      live.end(undefined, app.clock.now())
    },
  }
  limits.countStep(started)
  signal.throwIfAborted()
  crashAt(`${intent.kind}.begun`)
  progress.begin(intent)
  const begun = performance.now()
  const outcome = await settled(spending, signal, () =>
    app.telemetry.step(holder, intent, () => (started.isRepeated && interrupted ? interrupted() : act(signal))),
  )
  progress.begin(null)
  crashAt(intent.kind === 'model' ? 'model.answered' : 'tool.done')
  const durationMs = performance.now() - begun
  const entries = outcome.entries.map((entry) => ({
    durationMs,
    ...(started.isRepeated && !interrupted ? repeated(entry) : entry),
  }))
  const done = { holder, step: started.step, response: outcome.response, usage: outcome.usage, mask: app.mask }
  const ready = await readyEntries(app, { holder, at: String(started.step), entries })
  const log = await finishStep(app.pool, { ...done, entries: ready }).catch((error: unknown) =>
    withoutEntries(app, { error, done, limits }),
  )
  await spending.release()
  app.telemetry.logged(holder, log)
  limits.markProgress()
  crashAt(`${intent.kind}.stored`)
  app.notifier.notifyRun(holder.runId)
  live.end(log?.entries, app.clock.now())
  return outcome.response
}

type WithoutEntries = { error: unknown; done: Omit<FinishStep, 'entries'>; limits: TurnLimits }

/** What was done is done, and what it cost is counted, though the log has no room to tell of it: with that the turn ends. */
async function withoutEntries(
  app: Pick<App, 'pool'>,
  { error, done, limits }: WithoutEntries,
): Promise<LogSize | undefined> {
  if (!(error instanceof LogRefused)) throw error
  const log = await finishStep(app.pool, { ...done, entries: [] })
  limits.halt(refusedLog(error))
  return log
}

/** What a step has taken that was cut off counts; what one has taken that failed is given back. */
async function settled<T>(spending: Spending, signal: AbortSignal, act: () => Promise<T>): Promise<T> {
  try {
    const outcome = await act()
    // A command that was killed by the stop has an outcome too, but nobody is to see it.
    signal.throwIfAborted()
    return outcome
  } catch (error) {
    await (signal.aborted ? spending.count() : spending.release())
    throw error
  }
}

/** Before a step of the engine is where a pause is possible. */
async function startOrPause(app: Pick<App, 'pool'>, step: StartStep, limits: TurnLimits): Promise<StartedStep> {
  return startStep(app.pool, step).catch((error: unknown) => {
    if (error instanceof PauseWanted) limits.halt(new TurnStopped('paused'))
    limits.signal.throwIfAborted()
    throw error
  })
}

async function durableAsk(
  app: Pick<App, 'blobs' | 'mask' | 'notifier' | 'pool'>,
  { holder, question, limits }: { holder: Holder; question: Ask; limits: TurnLimits },
): Promise<string> {
  const { key, kind, text, options = [] } = question
  limits.signal.throwIfAborted()
  const request = { kind, text, options }
  const started = await startOrPause(app, { holder, key, kind: 'ask', request }, limits)
  if (started.done) return (started.response as { answer: string }).answer
  crashAt('ask.begun')
  const { answer } = await createQuestion(app.pool, { holder, key, kind, text, options, mask: app.mask })
  if (answer === null) {
    crashAt('question.stored')
    limits.halt(new TurnStopped('waiting'))
  }
  limits.signal.throwIfAborted()
  crashAt('reply.read')
  const response = { answer: answer ?? '' }
  await finishStep(app.pool, {
    holder,
    step: started.step,
    response,
    entries: await readyEntries(app, { holder, at: String(started.step), entries: [repliedEntry(question, response)] }),
    mask: app.mask,
  })
  crashAt('reply.stored')
  app.notifier.notifyRun(holder.runId)
  return response.answer
}

/** The plan itself is in the log already; what people say to it reads like any word of theirs. */
function repliedEntry({ kind, text, options = [], thought = null }: Ask, { answer }: { answer: string }): Entry {
  if (kind === 'plan') return { messageType: 'USER_MESSAGE', observation: answer }
  const toolInput = { question: text, options }
  return {
    messageType: 'ACTION',
    thought,
    toolName: 'ask_user',
    toolInput,
    toolOutput: { answer },
    observation: answer,
  }
}

async function readImage(app: Pick<App, 'blobs'>, { organizationId }: Holder, { sha256 }: Image): Promise<Buffer> {
  const bytes = await app.blobs.get({ organizationId, sha256 })
  if (!bytes) throw new RunFailure('image_lost', 'An image of this run is not stored any more.')
  return bytes
}

/** A tool call that is made again says so. */
export function repeated(entry: Entry): Entry {
  return entry.messageType === 'ACTION' ? { ...entry, toolOutput: { ...entry.toolOutput, repeated: true } } : entry
}

function pastOf(item: PastItem): Past[] {
  if (item.type === 'message') return [{ type: 'message', turn: item.turn, text: item.text, images: item.images }]
  const { step } = item
  if (step.kind !== 'note') {
    const { key, kind, turn, request, response } = step
    return [{ type: 'step', turn, step: { key, kind, turn, request, response } }]
  }
  if (step.key.startsWith(workspaceKey(step.turn))) {
    const { restored } = (step.response ?? {}) as Made
    return restored ? [{ type: 'restored', turn: step.turn, ...restored }] : []
  }
  // One that was only begun has lost its answer with its worker; then the engine makes it anew.
  if (step.key !== answerKey(step.turn) || step.response === undefined) return []
  return [
    {
      type: 'turn_ended',
      turn: step.turn,
      result: ((step.response as JsonObject | undefined)?.['answer'] as string) ?? null,
    },
  ]
}
