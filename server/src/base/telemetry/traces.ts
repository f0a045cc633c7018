import {
  ROOT_CONTEXT,
  trace,
  TraceFlags,
  type Attributes,
  type Span,
  type SpanKind,
  type Tracer,
} from '@opentelemetry/api'
import type { IdGenerator, SpanExporter } from '@opentelemetry/sdk-trace'
import { limits } from '#base/limits.ts'
import type { Logger } from '#base/logger.ts'
import type { Secret } from '#base/secrets/secret.ts'
import type { TracePlace } from './trace-context.ts'
import { version } from '#base/version.ts'
import { trimTrailing } from '#base/text/trim-trailing.ts'

/** Where spans are sent to: an OTLP collector's address without `/v1/traces`, which may hold a password; and who we are to it. */
export type TracesConfig = { endpoint: Secret; serviceName: string }

export type StartSpan = {
  name: string
  kind: SpanKind
  attributes: Attributes
  /** What it is part of: a span of this process, a place in somebody else's trace, or only a trace. */
  within: Span | TracePlace | { traceId: string }
}

/** Spans, as OpenTelemetry has them. They are sent in the background; one that cannot be sent is dropped. */
export type Traces = AsyncDisposable & {
  /** Undefined where nothing is traced. */
  startSpan(span: StartSpan): Span | undefined
}

/** Traces nothing, and loads nothing, without a config. */
export async function openTraces(config: TracesConfig | null, logger: Logger): Promise<Traces> {
  if (!config) return { startSpan: () => undefined, [Symbol.asyncDispose]: async () => {} }
  const [{ TracerProvider, BatchSpanProcessor, RandomIdGenerator }, { resourceFromAttributes }, { OTLPTraceExporter }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/exporter-trace-otlp-http'),
    ])
  const ids = givenTraceIds(new RandomIdGenerator())
  const exporter = new OTLPTraceExporter({ url: `${trimTrailing(config.endpoint.reveal(), '/')}/v1/traces` })
  tellFaults(exporter, logger)
  const provider = new TracerProvider({
    idGenerator: ids,
    resource: resourceFromAttributes({ 'service.name': config.serviceName, 'service.version': version }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1_000 })],
  })
  const tracer = provider.getTracer('runwright', version)
  return {
    startSpan: (span) => ids.within(span.within, () => start(tracer, span)),
    // A collector that is away must not keep the process from ending.
    [Symbol.asyncDispose]: async () => {
      await Promise.race([
        provider.shutdown().catch(() => {}),
        new Promise((done) => setTimeout(done, limits.lastSpansMs).unref()),
      ])
    },
  }
}

function start(tracer: Tracer, { name, kind, attributes, within }: StartSpan): Span {
  return tracer.startSpan(name, { kind, attributes }, contextOf(within))
}

function contextOf(within: StartSpan['within']) {
  if ('spanContext' in within) return trace.setSpan(ROOT_CONTEXT, within)
  if (!('parentId' in within)) return ROOT_CONTEXT
  const { traceId, parentId, flags } = within
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId: parentId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
  })
}

/** Says once that spans do not arrive, until some do again. */
function tellFaults(exporter: SpanExporter, logger: Logger): void {
  const send = exporter.export.bind(exporter)
  let isAway = false
  exporter.export = (spans, callback) =>
    send(spans, (result) => {
      if (result.error && !isAway) logger.warn({ reason: result.error.message }, 'could not export spans')
      isAway = result.error !== undefined
      callback(result)
    })
}

/** A span without a parent begins a trace of a random id, unless it is started `within` one. */
function givenTraceIds(random: IdGenerator) {
  let options: string | undefined
  return {
    generateSpanId: () => random.generateSpanId(),
    generateTraceId: () => options ?? random.generateTraceId(),
    within: <T>(within: StartSpan['within'], act: () => T): T => {
      options = 'traceId' in within ? within.traceId : undefined
      try {
        return act()
      } finally {
        options = undefined
      }
    },
  }
}
