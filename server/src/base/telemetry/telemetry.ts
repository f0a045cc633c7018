import { createHash } from 'node:crypto'
import type { Span } from '@opentelemetry/api'
import type { LogSize, Usage } from '#base/entry.ts'
import { Chores } from './chores.ts'
import type { Logger } from '#base/logger.ts'
import type { Metrics } from './metrics.ts'
import { failSpan, startStepSpan, startTurnSpan, type MeasuredStep } from './run-spans.ts'
import { readTraceparent } from './trace-context.ts'
import type { Traces } from './traces.ts'

type RunIds = { organizationId: number; runId: number; turn: number }

/** A turn that a worker has claimed, as far as it is told of. */
export type ClaimedTurn = RunIds & {
  leaseId: string
  workerId: number
  claims: number
  agentType: string
  /** Of the request that made the run. */
  traceparent: string | null
  createdAt: Date
  /** How long it was queued; and since its last worker gave a sign of life, if that one was lost. */
  pickupSeconds: number
  takeoverSeconds: number | null
  log: LogSize
}

type EndedTurn = { status: string; code: string | null; log: LogSize }
/** How a turn has ended; or it leaves this worker before its end, and why. */
export type EndOfTurn = EndedTurn | { left: string }

type Lease = { leaseId: string }
type Turn = {
  runId: number
  logger: Logger
  span: Span | undefined
  begunAt: number
  log: LogSize
  /** Of its last model call. */
  model: string | undefined
}

/**
 * What a process tells of itself: a line in the log for each thing worth knowing of a run, a metric, a span. Nothing in
 * any of them is what a person or a model wrote, but the names of tools and models. None of its verbs fails by itself.
 */
export class Telemetry {
  readonly metrics: Metrics
  readonly traces: Traces
  readonly chores: Chores
  readonly #logger: Logger
  readonly #turns = new Map<string, Turn>()

  constructor({ logger, metrics, traces }: { logger: Logger; metrics: Metrics; traces: Traces }) {
    this.#logger = logger
    this.metrics = metrics
    this.traces = traces
    this.chores = new Chores({ logger, metrics })
  }

  beginTurn(claim: ClaimedTurn): void {
    const { organizationId, runId, turn, workerId, claims, agentType, pickupSeconds, takeoverSeconds } = claim
    this.metrics.pickup.observe(pickupSeconds)
    if (takeoverSeconds !== null) this.metrics.takeover.observe(takeoverSeconds)
    const within = readTraceparent(claim.traceparent) ?? { traceId: traceIdOf(claim) }
    const logger = this.#logger.child({ organizationId, runId, turn, workerId, traceId: within.traceId })
    const span = startTurnSpan(this.traces, { organizationId, runId, turn, workerId, claims, agentType, within })
    const begunAt = performance.now()
    this.#turns.set(claim.leaseId, { runId, logger, span, begunAt, log: claim.log, model: undefined })
    if (takeoverSeconds === null) logger.info({ agentType, claims, pickupSeconds }, 'run claimed')
    else logger.info({ agentType, claims, pickupSeconds, takeoverSeconds }, 'run taken over')
  }

  /** Does one step of an engine, measured. */
  async step<Outcome extends { usage?: Usage }>(
    { leaseId }: Lease,
    step: MeasuredStep,
    act: () => Outcome | Promise<Outcome>,
  ): Promise<Outcome> {
    const turn = this.#turns.get(leaseId)
    const named = step.kind === 'model' ? step.request['model'] : undefined
    if (turn && typeof named === 'string') turn.model = named
    const { model, runId = 0, span: within } = turn ?? {}
    const span = within && startStepSpan(this.traces, { runId, step, model, within })
    const begunAt = performance.now()
    const observe = (outcome: 'done' | 'failed') =>
      this.metrics.step.observe({ kind: step.kind, outcome }, secondsSince(begunAt))
    try {
      const outcome = await act()
      observe('done')
      if (outcome.usage) this.#spend(outcome.usage, { model, span })
      return outcome
    } catch (error) {
      observe('failed')
      failSpan(span, codeOf(error))
      throw error
    } finally {
      span?.end()
    }
  }

  /** What a model call used that was no step of an engine. */
  noteUsage(usage: Usage): void {
    this.#spend(usage, { model: usage.model, span: undefined })
  }

  /** Counts by how much the run's log has grown since it was last told of. */
  logged({ leaseId }: Lease, log: LogSize | undefined): void {
    const turn = this.#turns.get(leaseId)
    if (!turn || !log) return
    this.metrics.logEntries.inc(Math.max(0, log.entries - turn.log.entries))
    this.metrics.logBytes.inc(Math.max(0, log.bytes - turn.log.bytes))
    turn.log = log
  }

  /** Of what is told of a turn's end, the first counts. */
  endTurn({ leaseId }: Lease, end: EndOfTurn): void {
    const turn = this.#turns.get(leaseId)
    if (!turn) return
    const { span, logger } = turn
    const durationMs = Math.round(secondsSince(turn.begunAt) * 1000)
    if ('left' in end) {
      this.metrics.turnsReleased.inc({ reason: end.left })
      span?.setAttribute('runwright.run.left', end.left)
      logger.info({ reason: end.left, durationMs }, 'run released')
    } else {
      const { status, code, log } = end
      this.logged({ leaseId }, log)
      this.metrics.turnsEnded.inc({ status, code: code ?? '' })
      span?.setAttribute('runwright.run.status', status)
      if (code !== null) failSpan(span, code)
      logger.info({ status, code, durationMs }, 'run finished')
    }
    span?.end()
    this.#turns.delete(leaseId)
  }

  /** A turn has ended that no worker of this process was at: with the worker that was lost, or before it had one. */
  noteEnd(run: RunIds & { workerId: number | null }, { status, code }: Omit<EndedTurn, 'log'>): void {
    const { organizationId, runId, turn, workerId } = run
    this.metrics.turnsEnded.inc({ status, code: code ?? '' })
    this.#logger.info({ organizationId, runId, turn, workerId, status, code }, 'run finished')
  }

  #spend({ inputTokens, outputTokens, costUsd }: Usage, on: { model: string | undefined; span: Span | undefined }) {
    const model = this.metrics.modelLabel(on.model ?? 'unknown')
    this.metrics.modelTokens.inc({ model, direction: 'input' }, amountOf(inputTokens))
    this.metrics.modelTokens.inc({ model, direction: 'output' }, amountOf(outputTokens))
    on.span?.setAttributes({ 'gen_ai.usage.input_tokens': inputTokens, 'gen_ai.usage.output_tokens': outputTokens })
    if (costUsd === null) return
    this.metrics.modelCost.inc({ model }, amountOf(costUsd))
    on.span?.setAttribute('runwright.cost_usd', costUsd)
  }
}

/** The same in every process and turn, so that a takeover goes on in the trace; the time keeps installations apart. */
function traceIdOf({ organizationId, runId, createdAt }: ClaimedTurn): string {
  const name = `${organizationId}/${runId}/${createdAt.toISOString()}`
  return createHash('sha256').update(name).digest('hex').slice(0, 32)
}

/** A counter takes nothing else, and what a provider says it has used is its own word. */
const amountOf = (value: number): number => (value > 0 && Number.isFinite(value) ? value : 0)
const secondsSince = (at: number): number => (performance.now() - at) / 1000

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '_OTHER'
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}
