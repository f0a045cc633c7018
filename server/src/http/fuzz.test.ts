import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { documented, type Document } from '#test/documented.ts'
import { fuzzedRequest } from '#test/fuzz-request.ts'
import { sendRequest } from '#test/send-request.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld } from '#test/world.ts'
import { routes } from './routes/index.ts'

// Always the same requests, so that a change fails for what it does itself; by hand others, and more of them.
const seed = Number(process.env.RUNWRIGHT_FUZZ_SEED ?? 1)
const requestsEach = Number(process.env.RUNWRIGHT_FUZZ_REQUESTS ?? 25)

const testing = await testApp()
const { ask, url, adminToken } = testing
const assertDocumented = documented(JSON.parse((await ask('/openapi.json')).text) as Document)
const statuses = new Map<number, number>()
/** For what only reads. */
const readOnly = await makeWorld(testing)

for (const route of routes) {
  test(`${route.operationId} answers whatever it is sent as it documents, and never fails`, async (context) => {
    context.diagnostic(`RUNWRIGHT_FUZZ_SEED=${seed}`)
    const world = route.method === 'GET' ? readOnly : await makeWorld(testing)
    const token = route.access === 'instance_admin' ? adminToken : world.token
    const property = fc.asyncProperty(fuzzedRequest({ ...route, ids: world.ids, token }), async (fuzzed) => {
      const { url: path, ...sent } = fuzzed
      const answer = await sendRequest(url, { method: route.method, path, ...sent })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      assert.ok(answer.headers.get('x-request-id'))
      // A path that a strange text has changed is no path of this endpoint any more.
      if (answer.body.code === 'route_not_found' || answer.body.code === 'method_not_allowed') return
      assert.ok(answer.status < 500, answer.text)
      assertDocumented(route, answer)
      if (answer.status >= 400 && 'message' in answer.body) assert.equal(answer.body.status_code, answer.status)
    })
    await fc.assert(property, { seed, numRuns: requestsEach, interruptAfterTimeLimit: 3_000 })
  })
}

test('what was sent was neither all right nor all wrong', () => {
  for (const status of [200, 201, 400, 401, 404, 406, 415]) {
    assert.ok(
      statuses.get(status),
      `no request was answered ${status}: ${JSON.stringify(Object.fromEntries(statuses))}`,
    )
  }
})
