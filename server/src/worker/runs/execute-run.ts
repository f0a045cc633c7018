import { EngineError, type Answer, type Engine, type Turn } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { noSandbox } from '#adapters/sandboxes/no-sandbox.ts'
import type { App } from '#app/app.ts'
import { crashAt } from '#base/crash-points.ts'
import type { Entry } from '#base/entry.ts'
import type { JsonObject } from '#base/json.ts'
import { limits } from '#base/limits.ts'
import { forgetCheckpoints } from '#domain/runs/checkpoints/forget-checkpoints.ts'
import { recordCanary } from '#domain/runs/events/record-canary.ts'
import { cleanJson } from '#domain/runs/logs/entry-text.ts'
import type { Claim } from '#domain/runs/runs/claim-run.ts'
import { requireRoom } from '#domain/accounts/storage/require-room.ts'
import { packLog } from '#domain/runs/logs/pack-log.ts'
import { wakeFixers } from '#domain/hosts/fixers/wake-fixers.ts'
import { finishTurn, type TurnEnd } from '#domain/runs/runs/finish-turn.ts'
import { listAskers } from '#domain/runs/messages/list-askers.ts'
import { getRun } from '#domain/runs/get-run.ts'
import { getTurn, type TurnFacts } from '#domain/runs/runs/get-turn.ts'
import type { RunError } from '#domain/runs/run.ts'
import { recordLinks } from '#domain/runs/runs/record-links.ts'
import { onlyReads } from '#domain/runs/run-task.ts'
import { updateStatusDetail } from '#domain/runs/runs/update-status-detail.ts'
import { webUrl } from '#domain/runs/runs/web-url.ts'
import { answerKey } from '#domain/runs/steps/answer-key.ts'
import { findOpenTool } from '#domain/runs/steps/find-open-tool.ts'
import { hasModelProvider } from '#domain/repos/model-providers/has-model-provider.ts'
import { listUsableMcpServers } from '#domain/repos/mcp-servers/list-usable-mcp-servers.ts'
import type { RunSecret } from '#domain/repos/secrets/unseal-secrets.ts'
import { finishStep } from '#domain/runs/steps/finish-step.ts'
import { startStep } from '#domain/runs/steps/start-step.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'
import { takeMessages } from '#domain/runs/steps/take-messages.ts'
import { CanaryFound } from '#worker/failures/canary-found.ts'
import { describeFailure } from './describe-failure.ts'
import { passOn } from '#worker/health/pass-on.ts'
import { limitTurn, type TurnLimits } from './turn/limit-turn.ts'
import { openMcpServers } from './turn/mcp-servers.ts'
import { makeTurn } from './make-turn.ts'
import { readResult } from './tasks/read-result.ts'
import { readyEntries } from './turn/ready-entries.ts'
import { waitForHost } from './wait-for-host.ts'
import { removeSandbox } from './remove-sandbox.ts'
import { redoLostSteps } from './redo-lost-steps.ts'
import { RunFailure } from '#worker/failures/run-failure.ts'
import { citeSteps } from './steps/cite-steps.ts'
import { commitWork } from './steps/commit-work.ts'
import { Checkpoints } from './steps/checkpoints.ts'
import { keepWork } from './steps/keep-work.ts'
import { keepArtifacts } from './steps/keep-artifacts.ts'
import { openPull } from './steps/open-pull.ts'
import { openWorkspace, type Workspace } from './steps/open-workspace.ts'
import { requireResolved } from './steps/require-resolved.ts'
import { isSigned, pushWork } from './steps/push-work.ts'
import { verifyWork } from './steps/verify-work.ts'
import { shapeTitle } from './steps/shape-title.ts'
import { tellLeftBehind } from './steps/tell-left-behind.ts'
import { tellFix } from './steps/tell-fix.ts'
import { finishTask } from './tasks/finish-task.ts'
import { TurnStopped } from '#worker/failures/turn-stopped.ts'
import { raceWithAbort } from '#base/concurrency/race-with-abort.ts'

type End = { end: TurnEnd; entries: Entry[] }

/**
 * One turn of a run, from its claim to its end: prompt, workspace, engine, branch, pull request, answer. Each part can
 * be done again after a crash and goes on where the last one was stored. Rejects only when the turn has not ended: the
 * lease is lost, or the database cannot be reached.
 */
export async function executeRun(service: App, claim: Claim, stop: AbortSignal): Promise<void> {
  crashAt('claim.stored')
  const holder: Holder = claim
  const facts = await getTurn(service.pool, claim)
  crashAt('turn.read')
  const bounds = { ...limits, runLogBytesMax: service.config.storageBytes.log }
  using turnLimits = limitTurn(service, { holder, facts, stop, bounds })
  using opened = await service.redactors.open(holder, (name) => turnLimits.halt(new CanaryFound(name)))
  const app = { ...service, mask: opened.redactor.mask }
  const { signal } = turnLimits
  let workspace: Workspace | undefined
  // Nothing of a stopped run is wanted any more, so nothing waits for its commands to end one by one.
  const endSandbox = () => {
    if (isCancel(stop)) void workspace?.sandbox.stop('the run was stopped')
  }
  stop.addEventListener('abort', endSandbox)
  // From then on there is nothing left but to deliver the work.
  let { isAnswered } = facts
  let end: End
  try {
    // What is said to a turn that has its answer begins the next one.
    if (!facts.isAnswered) await takeMessages(app.pool, { holder, mask: app.mask, blobs: app.blobs })
    crashAt('messages.taken')
    await recordLinks(app.pool, { holder, publicUrl: app.publicUrl, mask: app.mask })
    crashAt('links.recorded')
    app.notifier.notifyRun(holder.runId)
    const engine = findEngine(app.engines, facts.agentType, await hasModelProvider(app.pool, holder))
    const secrets = onlyReads(facts.task) ? [] : opened.secrets
    if (await needsWorkspace(engine, { holder, facts }))
      workspace = await openWorkspace(app, { holder, facts, secrets, signal })
    void workspace?.proxy?.spent.then(() => turnLimits.halt(new TurnStopped('paused')))
    const answer = await runEngine(app, { engine, holder, facts, workspace, secrets, limits: turnLimits })
    isAnswered = true
    if (facts.task) {
      await finishTask(app, { holder, facts, task: facts.task, workspace, answer, signal })
      // It pushes nothing, so that its next turn would go on from one of them.
      await forgetCheckpoints(app.pool, holder)
    }
    const remark = workspace && !facts.task ? await publish(app, { holder, facts, workspace, answer, signal }) : null
    if (workspace) await keepArtifacts(app, { holder, sandbox: workspace.sandbox, signal })
    crashAt('artifacts.kept')
    end = await completed(facts, answer, remark)
  } catch (error) {
    end = await failed(app, error, { holder, facts, workspace, isAnswered, limits: turnLimits, stop })
  } finally {
    stop.removeEventListener('abort', endSandbox)
    await workspace?.sandbox.stop('the turn ended')
    await workspace?.proxy?.[Symbol.asyncDispose]()
    crashAt('sandbox.stopped')
  }
  await recordLinks(app.pool, { holder, publicUrl: app.publicUrl, mask: app.mask })
  const entries = await readyEntries(app, { holder, at: `turn-${holder.turn}`, entries: end.entries })
  const ended = await finishTurn(app.pool, { holder, mask: app.mask, end: end.end, entries })
  app.telemetry.endTurn(holder, ended)
  crashAt('turn.ended')
  app.notifier.notifyRun(holder.runId)
  if (holder.turn > 1) await tellAgents(app, holder)
  if (workspace) await removeSandbox(app, holder)
  crashAt('sandbox.removed')
  await packLog(app.pool, { ...holder, entries: ended.log.entries, blobs: app.blobs }).catch((error: unknown) =>
    app.logger.debug({ err: error, runId: holder.runId }, 'could not pack the pages of a log'),
  )
}

/** Whoever looks after its pull requests may have waited for the end of a follow-up; else they see it later by themselves. */
async function tellAgents(app: Pick<App, 'logger' | 'pool'>, { organizationId, runId }: Holder): Promise<void> {
  await wakeFixers(app.pool, { organizationId, runId }).catch((error: unknown) =>
    app.logger.debug({ err: error, runId }, 'could not announce the end of a turn'),
  )
}

type Broken = {
  holder: Holder
  facts: TurnFacts
  workspace: Workspace | undefined
  isAnswered: boolean
  limits: TurnLimits
  stop: AbortSignal
}

/** The end of a turn that failed, once what it leaves is kept. Throws what has broken it off where it has not ended. */
async function failed(app: App, error: unknown, broken: Broken): Promise<End> {
  const { holder, facts, workspace, isAnswered, limits: turnLimits, stop } = broken
  const { signal, timeoutMinutes } = turnLimits
  // What shows, from outside, that a worker that woke too late changed nothing.
  if (error instanceof LeaseLost) app.logger.info({ runId: holder.runId }, 'a write was refused')
  const failure = await describeFailure(error, { signal, sandbox: workspace?.sandbox, timeoutMinutes })
  if (!failure) crashAt('sandbox.left')
  if (!failure) throw signal.aborted ? signal.reason : error
  if (await hadNothingToDo(app, failure.error, { holder, facts }))
    return completed(facts, { answer: failure.error.message, summary: failure.error.message })
  if (!signal.aborted) await waitForHost(app, error, { holder, facts, workspace, isAnswered })
  if (!signal.aborted) failure.error = await passOn(app, error, { holder, failure: failure.error })
  if (signal.reason instanceof CanaryFound) await tellOfCanary(app, { holder, found: signal.reason })
  else if (workspace) {
    if (!isAnswered && !facts.task) await keepWork(app, { holder, facts, workspace, stop })
    await keepArtifactsAnyway(app, { holder, workspace, stop })
  }
  if (failure.error.code === 'engine_error' && !(error instanceof EngineError))
    app.logger.error({ err: error, runId: holder.runId }, 'a run failed because of an internal error')
  return {
    end: { status: 'failed', error: failure.error },
    entries: [
      { messageType: 'ERROR', observation: failure.error.message, ...(await cutShort(app, { holder, signal })) },
    ],
  }
}

/** A follow-up to what was done already found nothing that is still to be done: that is an answer, and no fault of the run. */
async function hadNothingToDo(
  app: Pick<App, 'pool'>,
  { code }: RunError,
  { holder, facts }: Pick<Broken, 'holder' | 'facts'>,
): Promise<boolean> {
  if (code !== 'no_failing_test' || holder.turn === 1 || facts.entry?.messageType === 'DETECT_PR_ERRORS') return false
  return (await getRun(app.pool, holder)).result !== null
}

/** The tool that was at work when the turn was stopped for what it showed, and which has no entry of its own now. */
async function cutShort(
  app: Pick<App, 'pool'>,
  { holder, signal }: { holder: Holder; signal: AbortSignal },
): Promise<Pick<Entry, 'toolName' | 'toolInput'>> {
  const intent = signal.reason instanceof CanaryFound ? await findOpenTool(app.pool, holder) : undefined
  return intent ? { toolName: intent.name, toolInput: intent.input } : {}
}

/** Nothing of such a turn is kept or pushed: whose work it is nobody knows. */
async function tellOfCanary(
  app: Pick<App, 'logger' | 'pool'>,
  { holder, found }: { holder: Holder; found: CanaryFound },
): Promise<void> {
  app.logger.warn({ runId: holder.runId, canary: found.canary }, 'a run exposed a canary credential')
  await recordCanary(app.pool, { holder, name: found.canary })
}

/** Making one costs more than all else that is done for a run; what an earlier turn left waits for one that needs it. */
async function needsWorkspace(
  engine: Engine,
  { holder, facts }: { holder: Holder; facts: TurnFacts },
): Promise<boolean> {
  if (facts.repo || !engine.needsSandbox) return true
  return engine.needsSandbox({ metadata: facts.metadata, number: holder.turn })
}

const isCancel = ({ reason }: AbortSignal) => reason instanceof TurnStopped && reason.why === 'cancelled'

type KeepAnyway = { holder: Holder; workspace: Workspace; stop: AbortSignal }

/** What a turn that failed has left is still worth having; that it cannot be had changes nothing. */
async function keepArtifactsAnyway(app: App, { holder, workspace, stop }: KeepAnyway): Promise<void> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(limits.artifactsMs)])
  await keepArtifacts(app, { holder, sandbox: workspace.sandbox, signal }).catch((error: unknown) =>
    app.logger.debug({ err: error, runId: holder.runId }, 'could not keep the files of a failed turn'),
  )
}

/** `remark`: what people are to know besides the engine's answer. */
async function completed({ outputSchema }: TurnFacts, answer: Answer, remark: string | null = null): Promise<End> {
  const resultJson = outputSchema && (await readResult(answer, outputSchema))
  const result = remark === null ? answer.answer : `${answer.answer}\n\n${remark}`
  return {
    end: {
      status: 'completed',
      result,
      summary: answer.summary ?? null,
      resultJson: resultJson?.value ?? null,
      statusDetail: resultJson === undefined ? 'output_invalid' : null,
    },
    entries: [{ messageType: 'FINAL_ANSWER', thought: answer.thought ?? null, observation: result }],
  }
}

type RunEngine = {
  engine: Engine
  holder: Holder
  facts: TurnFacts
  workspace: Workspace | undefined
  secrets: readonly RunSecret[]
  limits: TurnLimits
}

/** The engine's answer, stored before anything is published, so that a takeover does not ask the engine again. */
async function runEngine(
  app: App,
  { engine, holder, facts, workspace, secrets, limits: turnLimits }: RunEngine,
): Promise<Answer & { date: Date }> {
  await using checkpoints = workspace && new Checkpoints(app, { holder, workspace })
  const sandbox = checkpoints?.sandbox ?? noSandbox
  await using mcp = await openMcpOf(app, { engine, holder, facts, sandbox, secrets })
  const turn = await makeTurn(app, { holder, facts, workspace, sandbox, secrets, mcp, limits: turnLimits })
  crashAt('past.read')
  await updateStatusDetail(app.pool, holder, 'working')
  app.notifier.notifyRun(holder.runId)
  crashAt('engine.started')
  const isAnswered = hasAnswered(turn)
  if (!isAnswered) await requireRoom(app.pool, holder)
  const answer = isAnswered ? undefined : await citeSteps(app, holder, await drive(engine, turn, checkpoints))
  // Commit, pull request and result are made of it.
  const cleaned = answer && (cleanJson(answer, app.mask) as typeof answer)
  turnLimits.signal.throwIfAborted()
  crashAt('answer.made')
  const step = await startStep(app.pool, { holder, key: answerKey(holder.turn), kind: 'note', request: {} })
  if (step.done) {
    const { date, ...known } = step.response as JsonObject & Answer & { date: string }
    return { ...known, date: new Date(date) }
  }
  crashAt('answer.begun')
  if (!cleaned) throw new RunFailure('engine_error', 'The answer of this turn is lost.')
  await finishStep(app.pool, {
    holder,
    step: step.step,
    response: { ...cleaned, date: step.startedAt.toISOString() },
    entries: [],
    mask: app.mask,
  })
  crashAt('answer.stored')
  return { ...cleaned, date: step.startedAt }
}

type McpOf = Pick<RunEngine, 'engine' | 'holder' | 'facts' | 'secrets'> & { sandbox: Sandbox }

/** The MCP servers of a turn, if it may use any: what strangers wrote, as a review reads it, moves nothing outside. */
async function openMcpOf(app: App, { engine, holder, facts, sandbox, secrets }: McpOf) {
  if (facts.task || !engine.usesMcp) return undefined
  const { organizationId } = holder
  const isFromOutside = (await listAskers(app.pool, holder)).length > 0
  const repoId = facts.repo?.id ?? null
  const servers = await listUsableMcpServers(app.pool, { organizationId, repoId, isFromOutside })
  return servers.length > 0 ? openMcpServers(app, { organizationId, servers, secrets, sandbox }) : undefined
}

/** Whether this turn has its answer, and the files are as they were then. */
function hasAnswered({ past, number }: Turn): boolean {
  const answered = past.findLastIndex((item) => item.type === 'turn_ended' && item.turn === number)
  return answered > past.findLastIndex((item) => item.type === 'restored' && item.lost.length > 0)
}

async function drive(engine: Engine, turn: Turn, checkpoints: Checkpoints | undefined): Promise<Answer> {
  const watched = checkpoints?.watch(turn) ?? turn
  try {
    return await raceWithAbort(engine.run(engine.redoesSteps ? redoLostSteps(watched) : watched), turn)
  } catch (error) {
    // Whoever goes on may do so on another machine.
    const { reason } = turn.signal
    if (reason instanceof TurnStopped && handsOver.has(reason.why)) await checkpoints?.takeLast()
    throw error
  }
}

const handsOver = new Set<TurnStopped['why']>(['shutdown', 'paused', 'waiting', 'runs'])

export function findEngine(engines: Map<string, Engine>, agentType: string, hasOwnModels: boolean): Engine {
  const engine = engines.get(agentType)
  if (!engine) throw new RunFailure('engine_error', `There is no engine "${agentType}" here.`)
  const { available, reason } = engine.availability(hasOwnModels)
  if (!available)
    throw new RunFailure(
      agentType === 'builtin' ? 'no_model' : 'engine_unavailable',
      reason ?? `The engine "${agentType}" cannot be used here.`,
    )
  return engine
}

type Publish = {
  holder: Holder
  facts: TurnFacts
  workspace: Workspace
  answer: Answer & { date: Date }
  signal: AbortSignal
}

/** Answers what people are to know besides the engine's answer; null: nothing. */
async function publish(app: App, { holder, facts, workspace, answer, signal }: Publish): Promise<string | null> {
  await updateStatusDetail(app.pool, holder, 'creating_pr')
  app.notifier.notifyRun(holder.runId)
  crashAt('publishing.said')
  const areConventional = workspace.habits?.areConventional ?? false
  const title = shapeTitle(app.mask(answer.title || facts.title || `Run ${holder.runId}`), { areConventional })
  const trailers = [
    ...workspace.authors.with.map(({ name, email }) => `Co-authored-by: ${name} <${email}>`),
    `Agent-Run: ${webUrl(app.publicUrl, holder)}`,
  ]
  const { sandbox, authors } = workspace
  const { commit: made, left } = await commitWork({
    ...workspace,
    submodules: workspace.submodules.found,
    title,
    answer,
    by: authors.by,
    trailers,
    date: answer.date,
    signal,
  })
  const remark = await tellLeftBehind(app, { holder, workspace, left, signal })
  await requireResolved({ sandbox, facts, from: workspace.startCommit, commit: made, signal })
  crashAt('work.committed')
  const repoId = facts.repo?.id ?? null
  const commit = await pushWork(app, { holder, repoId, isSigned: isSigned(facts), workspace, commit: made, signal })
  await tellFix(app, { holder, facts, branch: workspace.branch, answer })
  const verified = await verifyWork(app, { holder, facts, workspace, commit, answer, signal })
  await openPull(app, { holder, facts, workspace, commit, title, answer, verified, signal })
  return remark
}
