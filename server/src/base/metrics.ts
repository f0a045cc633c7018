import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { limits } from './limits.ts'
import { metricTable, type MetricRow } from './metric-table.ts'
import { version } from './version.ts'

type Table = typeof metricTable
type Instrument<Row extends MetricRow> = {
  counter: Counter<Row['labels'][number]>
  gauge: Gauge<Row['labels'][number]>
  histogram: Histogram<Row['labels'][number]>
}[Row['kind']]
type Instruments = { readonly [Name in keyof Table]: Instrument<Table[Name]> }

/** What this process measures. Counting costs about a microsecond; the rest is looked at only when somebody reads. */
export type Metrics = Instruments & {
  /** Has gauges set right before they are read. A look may fail: what it would have set is its own affair. */
  beforeRead(look: () => void | Promise<void>): void
  /** Also measures the process itself from now on: memory, time, how late the event loop runs. */
  watchProcess(): void
  /** Everything, as Prometheus reads it. */
  read(): Promise<{ contentType: string; text: string }>
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
  return {
    ...instruments,
    beforeRead: (look) => void looks.push(look),
    watchProcess: () => collectDefaultMetrics({ register: registry }),
    read: async () => {
      await Promise.allSettled(looks.map(async (look) => look()))
      return { contentType: registry.contentType, text: await registry.metrics() }
    },
    modelLabel: (model) => {
      if (!models.has(model) && models.size >= limits.measuredModelsMax) return 'other'
      models.add(model)
      return model
    },
  }
}

function makeInstrument(registry: Registry, { kind, name, help, labels, buckets }: MetricRow) {
  const settings = { name, help, labelNames: [...labels], registers: [registry] }
  if (kind === 'counter') return new Counter(settings)
  if (kind === 'gauge') return new Gauge(settings)
  return new Histogram({ ...settings, ...(buckets && { buckets: [...buckets] }) })
}
