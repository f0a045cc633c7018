import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLogger } from '#base/logger.ts'
import { openMetrics } from '#base/telemetry/metrics.ts'
import { Telemetry } from '#base/telemetry/telemetry.ts'
import { openTraces } from '#base/telemetry/traces.ts'
import { openGitGateway } from '#git/open-git-gateway.ts'
import { makeRun } from '#test/make-run.ts'
import { testApp } from '#test/test-app.ts'
import { buildServer } from '#http/build-server.ts'

const { app, member, rateLimiter } = await testApp()

test('each request is measured and logged by its route, and nothing that it says is', async () => {
  const me = await member()
  const run = await makeRun(app.pool, { organizationId: me.organizationId, userId: me.userId })
  const lines: string[] = []
  const logger = openLogger({ level: 'debug', destination: { write: (line) => lines.push(line) } })
  const telemetry = new Telemetry({ logger, metrics: openMetrics(), traces: await openTraces(null, logger) })
  const server = await buildServer({ app: { ...app, logger, telemetry }, rateLimiter, gitGateway: openGitGateway(app) })
  const headers = { authorization: `Bearer ${me.token}`, cookie: 'session=plum' }
  const ask = async (url: string, method: 'GET' | 'POST' = 'GET') => {
    const answer = await server.inject({
      method,
      url,
      headers,
      ...(method === 'POST' && { payload: { prompt: 'plum' } }),
    })
    return answer.statusCode
  }
  assert.equal(await ask(`${me.path}/agent/run`, 'POST'), 200)
  assert.equal(await ask(`${me.path}/agent/run/${run.id}?q=plum`), 200)
  assert.equal(await ask(`${me.path}/agent/run/999999`), 404)
  assert.equal(await ask('/plum'), 404)
  assert.equal(await ask('/git/1/plum.git/info/refs?service=git-upload-pack'), 404)
  assert.equal(await ask(`${me.path}/agent/run/${run.id}/cancel`, 'POST'), 200)
  assert.equal(await ask(`${me.path}/agent/run/${run.id}/logs/stream`), 200)
  await server.close()

  const { text } = await telemetry.metrics.read()
  const counted = [...text.matchAll(/^runwright_http_request_seconds_count\{(.*)\} (\d+)$/gm)].map(
    ([, labels]) => labels,
  )
  assert.deepEqual(counted, [
    'method="POST",route="/v1/organizations/:org_id/agent/run",status="200"',
    'method="GET",route="/v1/organizations/:org_id/agent/run/:agent_run_id",status="200"',
    'method="GET",route="/v1/organizations/:org_id/agent/run/:agent_run_id",status="404"',
    'method="GET",route="unknown",status="404"',
    'method="GET",route="/git/*",status="404"',
    'method="POST",route="/v1/organizations/:org_id/agent/run/:agent_run_id/cancel",status="200"',
  ])
  // It was queued, so no worker could tell of its end.
  assert.match(text, /^runwright_turns_ended_total\{status="cancelled",code=""\} 1$/m)
  const requests = lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === 'request')
  assert.equal(requests.length, 7)
  const always = ['level', 'method', 'ms', 'msg', 'requestId', 'route', 'status', 'time']
  for (const request of requests)
    assert.deepEqual(
      Object.keys(request).filter((key) => !always.includes(key) && !['userId', 'credentialId', 'ids'].includes(key)),
      [],
    )
  const { organizationId: org_id, userId } = me
  assert.partialDeepStrictEqual(requests.at(-2), {
    level: 'info',
    method: 'POST',
    userId,
    ids: { org_id, agent_run_id: run.id },
  })
  assert.ok(Number(requests.at(-2)?.['credentialId']) > 0)
  assert.deepEqual(
    requests.map(({ level }) => level),
    ['info', 'debug', 'debug', 'debug', 'debug', 'info', 'debug'],
  )
  assert.doesNotMatch(lines.join('\n') + text, new RegExp(`plum|${me.token}`))
})
