import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { metricTable } from '#base/telemetry/metric-table.ts'
import { openMetrics } from '#base/telemetry/metrics.ts'
import { serveMetrics } from './serve-metrics.ts'

test('Prometheus reads everything at one address, and nothing else is there', async () => {
  const metrics = openMetrics()
  metrics.watchProcess()
  metrics.beforeRead(() => metrics.workerRuns.set(3))
  metrics.beforeRead(() => Promise.reject(new Error('this look has failed')))
  await using served = await serveMetrics(metrics, { host: '127.0.0.1', port: 0 })
  const answer = await fetch(served.url)
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  const text = await answer.text()
  for (const { name, kind } of Object.values(metricTable)) assert.ok(text.includes(`# TYPE ${name} ${kind}\n`), name)
  assert.match(text, /^runwright_build_info\{version="[^"]+",node="v24[^"]*"\} 1$/m)
  assert.match(text, /^runwright_worker_runs 3$/m)
  assert.match(text, /^nodejs_eventloop_lag_seconds /m)
  assert.equal((await fetch(served.url, { method: 'POST' })).status, 405)
  assert.equal((await fetch(new URL('/', served.url))).status, 404)
})

test('an address that cannot be read is not there, and ends nothing', async () => {
  const metrics = openMetrics()
  await using server = await serveMetrics(metrics, { host: '127.0.0.1', port: 0 })
  const { port } = new URL(server.url)
  for (const path of ['//', '//[', '/%zz']) {
    const socket = connect(Number(port), '127.0.0.1')
    socket.end(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
    assert.match(Buffer.concat(await socket.toArray()).toString(), /^HTTP\/1\.1 404/, path)
  }
  assert.equal((await fetch(server.url)).status, 200)
})

test('a port that is taken is said at the start', async () => {
  await using served = await serveMetrics(openMetrics(), { host: '127.0.0.1', port: 0 })
  const port = Number(new URL(served.url).port)
  await assert.rejects(serveMetrics(openMetrics(), { host: '127.0.0.1', port }), /EADDRINUSE/)
})

test('names and labels keep to the conventions, and no label can name a tenant, a run or a person', () => {
  // The labels of workers are what operators scale by; only the sets of which most is wanted are told apart.
  const allowed =
    'chore code direction fault kind labels method model node outcome reason route state status version'.split(' ')
  for (const { name, kind, labels, help } of Object.values(metricTable)) {
    assert.match(name, /^runwright_[a-z][a-z_]*[a-z]$/)
    assert.equal(name.endsWith('_total'), kind === 'counter', name)
    if (kind === 'histogram') assert.match(name, /_seconds$/)
    for (const label of labels) assert.ok(allowed.includes(label), `${name} has the label ${label}`)
    assert.ok(help && !help.endsWith('.'), name)
  }
})

test('models beyond the first hundred count as one, so that nobody can fill the memory with their names', () => {
  const { modelLabel } = openMetrics()
  for (let n = 0; n < 100; n++) assert.equal(modelLabel(`own/${n}`), `own/${n}`)
  assert.equal(modelLabel('own/100'), 'other')
  assert.equal(modelLabel('own/7'), 'own/7')
})
