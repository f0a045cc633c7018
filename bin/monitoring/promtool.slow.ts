import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const folder = path.resolve(import.meta.dirname, '../../deploy/monitoring')

/** The tool itself: an installed package of Prometheus would also start a server. */
async function findPromtool(): Promise<string | null> {
  if (existsSync('/usr/bin/promtool')) return '/usr/bin/promtool'
  const place = mkdtempSync(path.join(os.tmpdir(), 'runwright-promtool-'))
  after(() => rm(place, { recursive: true, force: true }))
  try {
    await run('sh', ['-c', 'apt-get download -qq prometheus && dpkg-deb -x prometheus_*.deb .'], { cwd: place })
  } catch {
    return null
  }
  return path.join(place, 'usr/bin/promtool')
}

test('promtool takes the configuration and the rules, and each alert fires for what it is about; what the dashboard asks is well-formed', async (t) => {
  const promtool = await findPromtool()
  if (!promtool) return t.skip("Debian's package prometheus cannot be loaded here")
  for (const [words, sentence] of [
    [['check', 'config', 'prometheus.yml'], /SUCCESS: 1 rule files found[^]*SUCCESS: 14 rules found/],
    [['test', 'rules', 'alerts.test.yml'], /Unit Testing: {2}alerts\.test\.yml\n {2}SUCCESS/],
  ] as const)
    assert.match((await run(promtool, words, { cwd: folder })).stdout, sentence)
  const file = path.join(mkdtempSync(path.join(os.tmpdir(), 'runwright-dashboard-')), 'panels.json')
  after(() => rm(path.dirname(file), { recursive: true, force: true }))
  // Grafana says how far apart what it shows is.
  const expressions = expressionsOfPanels().map((expr) => expr.replaceAll('$__rate_interval', '1m'))
  const rules = expressions.map((expr, index) => ({ record: `panel_${index}`, expr }))
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  const { stdout } = await run(promtool, ['check', 'rules', file])
  assert.match(stdout, new RegExp(`SUCCESS: ${expressions.length} rules found`))
})

function expressionsOfPanels(): string[] {
  const text = readFileSync(path.join(folder, 'grafana-dashboard.json'), 'utf8')
  const { panels } = JSON.parse(text) as { panels: { targets?: { expr: string }[] }[] }
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
}
