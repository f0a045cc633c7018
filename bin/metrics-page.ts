import { metricTable, nodeMetrics, type MetricRow } from '../server/src/base/telemetry/metric-table.ts'

const begin = '<!-- metrics: generated -->'
const end = '<!-- end of metrics -->'

/** docs/observability.md with its table of metrics as the code has them; the rest of the page is written by hand. */
export function metricsPage(page: string): string {
  const [from, to] = [page.indexOf(begin), page.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`docs/observability.md must hold the lines "${begin}" and "${end}".`)
  return `${page.slice(0, from + begin.length)}\n\n${table()}\n${page.slice(to)}`
}

function table(): string {
  const rows = Object.values(metricTable).map(({ name, kind, labels, help }: MetricRow) => [
    `\`${name}\``,
    kind,
    labels.map((label) => `\`${label}\``).join(', '),
    help,
  ])
  const ofNode = nodeMetrics.map(([names, help]) => [names.replace(/\w+_\w+/g, (name) => `\`${name}\``), '', '', help])
  return aligned([['Name', 'Kind', 'Labels', 'Description'], ...rows, ...ofNode])
}

/** As the formatter does it. */
function aligned([head = [], ...rows]: string[][]): string {
  const widths = head.map((_, n) => Math.max(...[head, ...rows].map((row) => row[n]?.length ?? 0)))
  const line = (cells: string[]) => `| ${cells.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join(' | ')} |`
  return `${[line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')}\n`
}
