import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { metricTable } from '../../server/src/base/telemetry/metric-table.ts'

const root = path.resolve(import.meta.dirname, '../..')
const read = (file: string) => readFileSync(path.join(root, file), 'utf8')

type Rule = {
  alert: string
  expr: string
  labels: { severity: string }
  annotations: { summary: string; runbook: string }
}
const rules = (parse(read('deploy/monitoring/alerts.yml')) as { groups: { rules: Rule[] }[] }).groups[0]!.rules
type Panel = {
  id: number
  type: string
  title: string
  gridPos: Record<'x' | 'y' | 'w' | 'h', number>
  targets?: { expr: string }[]
}
const { panels } = JSON.parse(read('deploy/monitoring/grafana-dashboard.json')) as { panels: Panel[] }
const rows = new Map(Object.values(metricTable).map((row) => [row.name as string, row]))

/** The metrics that an expression names, and the labels that it asks of each. */
function namedIn(expr: string): [name: string, labels: string[]][] {
  return [...expr.matchAll(/(runwright_\w+)(?:\{([^}]*)\})?/g)].map(([, name = '', selector = '']) => [
    rows.has(name) ? name : name.replace(/_(?:bucket|count|sum)$/, ''),
    [...selector.matchAll(/(\w+)[!=]/g)].map(([, label = '']) => label),
  ])
}

test('alerts and dashboard ask for metrics and labels that there are', () => {
  const all = [
    ...rules.map(({ expr }) => expr),
    ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ]
  assert.ok(all.length > 40)
  for (const expr of all)
    for (const [name, labels] of namedIn(expr)) {
      const known: readonly string[] | undefined = rows.get(name)?.labels
      assert.ok(known, `${name} in ${expr}`)
      for (const label of labels) assert.ok(known.includes(label) || label === 'job', `${label} of ${name} in ${expr}`)
    }
})

test('every alert is told of in the runbook, and the runbook tells of no other', () => {
  const sections = [...read('docs/runbook.md').matchAll(/^## (\w+)$/gm)].map(([, name = '']) => name)
  assert.deepEqual(
    sections,
    rules.map(({ alert }) => alert),
  )
  for (const { alert, labels, annotations } of rules) {
    assert.equal(annotations.runbook, `docs/runbook.md#${alert.toLowerCase()}`)
    assert.ok(['page', 'ticket'].includes(labels.severity))
    assert.match(annotations.summary, /\.$/)
  }
})

test('panels of the dashboard lie beside each other, on top of none', () => {
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  const taken = new Map<string, string>()
  for (const { title, gridPos } of panels) {
    assert.ok(gridPos.x + gridPos.w <= 24, title)
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.equal(taken.get(`${x} ${y}`), undefined, title)
        taken.set(`${x} ${y}`, title)
      }
  }
})
