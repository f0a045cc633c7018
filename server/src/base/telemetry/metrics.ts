import {
  AggregatorRegistry,
  collectDefaultMetrics,
  Counter,
  Gauge,
  Histogram,
  Registry,
  type MetricObjectWithValues,
  type MetricValue,
} from 'prom-client'
import { metricLimits } from '#base/metric-limits.ts'
import { metricTable, type MetricRow } from './metric-table.ts'
import { version } from '#base/version.ts'

type Table = typeof metricTable
type Instrument<Row extends MetricRow> = {
  counter: Counter<Row['labels'][number]>
  gauge: Gauge<Row['labels'][number]>
  histogram: Histogram<Row['labels'][number]>
}[Row['kind']]
type Instruments = { readonly [Name in keyof Table]: Instrument<Table[Name]> }

export type MetricsText = { contentType: string; text: string }
export type MetricsValues = MetricObjectWithValues<MetricValue<string>>[]

/** What this process measures. Counting costs about a microsecond; the rest is looked at only when somebody reads. */
export type Metrics = Instruments & {
  /** Has gauges set right before they are read. A look may fail: what it would have set is its own affair. */
  beforeRead(look: () => void | Promise<void>): void
  /** Also measures the process itself from now on: memory, time, how late the event loop runs. */
  watchProcess(): void
  /** Everything, as Prometheus reads it. */
  read(): Promise<MetricsText>
  /** Everything as values, for `joinMetrics`. */
  readValues(): Promise<MetricsValues>
  /** The model's name as a label: so many models are told apart, and the rest is `other`. */
  modelLabel(model: string): string
}

export function openMetrics(): Metrics {
  const registry = new Registry()
  const looks: (() => void | Promise<void>)[] = []
  const models = new Set<string>()
  const entries = Object.entries(metricTable).map(([key, row]) => [key, makeInstrument(registry, row)])
  const instruments = Object.fromEntries(entries) as Instruments
  instruments.buildInfo.set({ version, node: process.version }, 1)
  const lookAll = () => Promise.allSettled(looks.map(async (look) => look()))
  return {
    ...instruments,
    beforeRead: (look) => void looks.push(look),
    watchProcess: () => collectDefaultMetrics({ register: registry }),
    read: async () => {
      await lookAll()
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
    readValues: async () => {
      await lookAll()
      return registry.getMetricsAsJSON()
    },
    modelLabel: (model) => {
      if (!models.has(model) && models.size >= metricLimits.modelsMax) return 'other'
      models.add(model)
      return model
    },
  }
}

/** The metrics of several processes of one service as those of one: sums, but what each says of the whole service. */
export async function joinMetrics(parts: MetricsValues[]): Promise<MetricsText> {
  const joined = AggregatorRegistry.aggregate(parts)
  return { contentType: joined.contentType, text: await joined.metrics() }
}

function makeInstrument(registry: Registry, { kind, name, help, labels, buckets, joined = 'sum' }: MetricRow) {
  const settings = { name, help, labelNames: [...labels], registers: [registry], aggregator: joined }
  if (kind === 'counter') return new Counter(settings)
  if (kind === 'gauge') return new Gauge(settings)
  return new Histogram({ ...settings, ...(buckets && { buckets: [...buckets] }) })
}
