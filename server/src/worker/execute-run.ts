import { EngineError, type Answer, type Engine } from '#adapters/engines/engine.ts'
import type { App } from '#app.ts'
import type { Entry } from '#base/entry.ts'
import type { JsonObject } from '#base/json.ts'
import type { Claim } from '#domain/runs/claim-run.ts'
import { finishTurn, type TurnEnd } from '#domain/runs/finish-turn.ts'
import { getTurn, type TurnFacts } from '#domain/runs/get-turn.ts'
import { updateStatusDetail } from '#domain/runs/update-status-detail.ts'
import { webUrl } from '#domain/runs/web-url.ts'
import { finishStep } from '#domain/steps/finish-step.ts'
import { startStep } from '#domain/steps/start-step.ts'
import type { Holder } from '#domain/steps/step.ts'
import { takeMessages } from '#domain/steps/take-messages.ts'
import { describeFailure } from './describe-failure.ts'
import { answerKey, makeTurn } from './make-turn.ts'
import { RunFailure } from './run-failure.ts'
import { commitWork } from './steps/commit-work.ts'
import { keepWork } from './steps/keep-work.ts'
import { openPull } from './steps/open-pull.ts'
import { openWorkspace, sandboxId, type Workspace } from './steps/open-workspace.ts'
import { pushWork } from './steps/push-work.ts'
import { TurnStopped } from './turn-stopped.ts'

/**
 * One turn of a run, from its claim to its end: prompt, workspace, engine, branch, pull request, answer. Each part can
 * be done again after a crash and goes on where the last one was stored. Rejects only when the turn has not ended: the
 * lease is lost, or the database cannot be reached.
 */
export async function executeRun(app: App, claim: Claim, stop: AbortSignal): Promise<void> {
  const holder: Holder = claim
  const facts = await getTurn(app.pool, claim)
  const deadline = new AbortController()
  const leftMs = facts.turnStartedAt.getTime() + facts.timeoutMinutes * 60_000 - app.clock.now().getTime()
  const timer = setTimeout(() => deadline.abort(new TurnStopped('timeout')), Math.max(0, leftMs))
  const signal = AbortSignal.any([stop, deadline.signal])
  let workspace: Workspace | undefined
  // From then on the work is either on its branch, or was refused.
  let isPublished = false
  let end: { end: TurnEnd; entries: Entry[] }
  try {
    await takeMessages(app.pool, { holder, mask: app.mask })
    workspace = await openWorkspace(app, { holder, facts, signal })
    const answer = await runEngine(app, { holder, facts, workspace, signal })
    isPublished = true
    await publish(app, { holder, facts, workspace, answer, signal })
    end = completed(answer)
  } catch (error) {
    const failure = await describeFailure(error, { signal, sandbox: workspace?.sandbox, facts })
    if (!failure) throw error
    if (workspace && !isPublished) await keepWork(app, { holder, facts, workspace })
    if (failure.error.code === 'engine_error' && !(error instanceof EngineError))
      app.logger.error({ err: error, runId: holder.runId }, 'a run failed by a fault of ours')
    end = {
      end: { status: 'failed', error: failure.error },
      entries: [{ messageType: 'ERROR', observation: failure.error.message }],
    }
  } finally {
    clearTimeout(timer)
    await workspace?.sandbox.stop('the turn ended')
  }
  await finishTurn(app.pool, { holder, mask: app.mask, ...end })
  await app.sandboxes.remove(sandboxId(holder))
}

function completed(answer: Answer): { end: TurnEnd; entries: Entry[] } {
  return {
    end: { status: 'completed', result: answer.answer, summary: answer.summary ?? null },
    entries: [{ messageType: 'FINAL_ANSWER', thought: answer.thought ?? null, observation: answer.answer }],
  }
}

type RunEngine = { holder: Holder; facts: TurnFacts; workspace: Workspace; signal: AbortSignal }

/** The engine's answer, stored before anything is published, so that a takeover does not ask the engine again. */
async function runEngine(app: App, { holder, facts, workspace, signal }: RunEngine): Promise<Answer & { date: Date }> {
  const engine = findEngine(app.engines, facts.agentType)
  const turn = await makeTurn(app, { holder, facts, signal, ...workspace })
  await updateStatusDetail(app.pool, holder, 'working')
  const stored = turn.past.find((item) => item.type === 'turn_ended' && item.turn === holder.turn)
  const answer = stored ? undefined : await engine.run(turn)
  signal.throwIfAborted()
  const step = await startStep(app.pool, { holder, key: answerKey(holder.turn), kind: 'note', request: {} })
  if (step.done) {
    const { date, ...known } = step.response as JsonObject & Answer & { date: string }
    return { ...known, date: new Date(date) }
  }
  if (!answer) throw new RunFailure('engine_error', 'The answer of this turn is lost.')
  await finishStep(app.pool, {
    holder,
    step: step.step,
    response: { ...answer, date: step.startedAt.toISOString() },
    entries: [],
    mask: app.mask,
  })
  return { ...answer, date: step.startedAt }
}

export function findEngine(engines: Map<string, Engine>, agentType: string): Engine {
  const engine = engines.get(agentType)
  if (!engine) throw new RunFailure('engine_error', `There is no engine "${agentType}" here.`)
  const { available, reason } = engine.availability()
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

async function publish(app: App, { holder, facts, workspace, answer, signal }: Publish): Promise<void> {
  await updateStatusDetail(app.pool, holder, 'creating_pr')
  const title = answer.title ?? facts.title ?? `Run ${holder.runId}`
  const trailers = [
    ...(facts.requester ? [`Co-authored-by: ${facts.requester.name} <${facts.requester.email}>`] : []),
    `Agent-Run: ${webUrl(app.publicUrl, holder)}`,
  ]
  const commit = await commitWork({ sandbox: workspace.sandbox, title, answer, trailers, date: answer.date, signal })
  if (commit !== null && commit !== workspace.startCommit)
    await pushWork(app, { holder, repoId: facts.repo?.id ?? null, workspace, commit, signal })
  await openPull(app, { holder, facts, workspace, commit, title, answer })
}
