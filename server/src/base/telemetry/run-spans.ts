import { SpanKind, SpanStatusCode, type Span } from '@opentelemetry/api'
import type { JsonObject } from '#base/json.ts'
import type { TracePlace } from './trace-context.ts'
import type { Traces } from './traces.ts'

/** What an engine is about to do, and with which model where it calls one. */
export type MeasuredStep = { kind: 'model' | 'tool'; request: JsonObject }

export type TurnSpan = {
  organizationId: number
  runId: number
  turn: number
  workerId: number
  claims: number
  agentType: string
  within: TracePlace | { traceId: string }
}

/**
 * Spans as OpenTelemetry's conventions for generative AI name them. Never with content: no prompt, no answer, no input
 * or output of a tool.
 */
export function startTurnSpan(traces: Traces, turn: TurnSpan): Span | undefined {
  return traces.startSpan({
    name: `invoke_agent ${turn.agentType}`,
    kind: SpanKind.INTERNAL,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': turn.agentType,
      'gen_ai.conversation.id': String(turn.runId),
      'runwright.organization.id': turn.organizationId,
      'runwright.run.turn': turn.turn,
      'runwright.run.claims': turn.claims,
      'runwright.worker.id': turn.workerId,
    },
    within: turn.within,
  })
}

export type StepSpan = { runId: number; step: MeasuredStep; model: string | undefined; within: Span }

export function startStepSpan(traces: Traces, { runId, step, model, within }: StepSpan): Span | undefined {
  const { name, kind, attributes } = step.kind === 'model' ? chat(model) : executeTool(step.request)
  return traces.startSpan({
    name,
    kind,
    attributes: { ...attributes, 'gen_ai.conversation.id': String(runId) },
    within,
  })
}

/** Ends badly, with a code or the class of an error: never with a message, which may quote what a model wrote. */
export function failSpan(span: Span | undefined, type: string): void {
  span?.setAttribute('error.type', type)
  span?.setStatus({ code: SpanStatusCode.ERROR })
}

/** Where the conventions call a provider by another name than we do. */
const providerNames: Record<string, string> = { google: 'gcp.gemini' }

function chat(name = 'unknown') {
  const [, provider = '_OTHER', model = name] = /^([^/]+)\/(.+)$/.exec(name) ?? []
  return {
    name: `chat ${model}`,
    kind: SpanKind.CLIENT,
    attributes: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': providerNames[provider] ?? provider,
      'gen_ai.request.model': model,
    },
  }
}

function executeTool(request: JsonObject) {
  const name = toolNameOf(request)
  const { id } = request
  return {
    name: `execute_tool ${name}`,
    kind: SpanKind.INTERNAL,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': name,
      'gen_ai.tool.type': 'function',
      ...(typeof id === 'string' && { 'gen_ai.tool.call.id': id }),
    },
  }
}

/** A name that a model made up may be any text, so only what looks like a name is told. */
function toolNameOf(request: JsonObject): string {
  const name = request['name'] ?? request['tool']
  return typeof name === 'string' && /^[\w.:/-]{1,64}$/.test(name) ? name : '_OTHER'
}
