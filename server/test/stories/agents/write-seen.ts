import { readFileSync, writeFileSync } from 'node:fs'

/** What was seen of an engine in one run of its tests. `version` is null where it is none of its own. */
export type Seen = { engine: string; version: string | null; tests: { title: string; isPassing: boolean }[] }
type Row = Map<string, string>

const begin = '<!-- The table is written by the tests: server/test/stories/agents. -->'
const end = '<!-- The end of the table. -->'
const first = 'What it does'
const lasts = { version: 'Version', root: 'Run as root', user: 'Run as an ordinary user' }

/** Writes it into the table of the page, as seen by whoever runs this process. What the table says of other engines, and of other users, stays. */
export function writeSeen(page: string, { engine, version, tests }: Seen): void {
  const text = readFileSync(page, 'utf8')
  const from = text.indexOf(begin)
  const to = text.indexOf(end)
  if (from < 0 || to < from)
    throw new Error(`${page} has no place for the table: a line "${begin}", and one "${end}" below it.`)
  const before = readTable(text.slice(from + begin.length, to))
  const rowOf = (title: string): Row => before.get(title) ?? new Map()
  const user = process.getuid?.() === 0 ? 'root' : 'user'
  const rows = tests.map(({ title, isPassing }) => {
    const users = new Set(rowOf(title).get(engine)?.split(', ').filter(Boolean))
    if (isPassing) users.add(user)
    else users.delete(user)
    return [
      title,
      new Map(rowOf(title)).set(engine, [...users].toSorted((a, b) => a.localeCompare(b)).join(', ')),
    ] as const
  })
  const today = new Date().toISOString().slice(0, 10)
  const versions = new Map(rowOf(lasts.version)).set(engine, version ?? '')
  const days = (['root', 'user'] as const).map((one) => {
    const row = new Map(rowOf(lasts[one]))
    return [lasts[one], one === user ? row.set(engine, today) : row] as const
  })
  const all: (readonly [string, Row])[] = [...rows, [lasts.version, versions], ...days]
  writeFileSync(page, `${text.slice(0, from + begin.length)}\n\n${printTable(all)}\n\n${text.slice(to)}`)
}

/** Rows by their first cell; in each, cells by the column's heading. Empty where there is no table yet. */
function readTable(text: string): Map<string, Row> {
  const cellsOf = (line: string) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim())
  const [headings = [], , ...rows] = text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map(cellsOf)
  return new Map(
    rows.map(([title = '', ...cells]) => [title, new Map(cells.map((cell, at) => [headings[at + 1] ?? '', cell]))]),
  )
}

/** With columns of one width, as the formatter has them. */
function printTable(rows: (readonly [string, Row])[]): string {
  const engines = [...new Set(rows.flatMap(([, row]) => [...row.keys()]))].toSorted((a, b) => a.localeCompare(b))
  const lines = [
    [first, ...engines],
    ...rows.map(([title, row]) => [title, ...engines.map((engine) => row.get(engine) ?? '')]),
  ]
  const widths = [first, ...engines].map((_, at) => Math.max(3, ...lines.map((cells) => cells[at]?.length ?? 0)))
  const print = (cells: string[]) => `| ${cells.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`
  const [headings = [], ...others] = lines
  return [headings, widths.map((width) => '-'.repeat(width)), ...others].map(print).join('\n')
}
