import assert from 'node:assert/strict'
import { request } from 'node:http'
import { test } from 'node:test'
import fc from 'fast-check'
import { createToken } from '#domain/tokens/create-token.ts'
import { documented, type Document } from '#test/documented.ts'
import { fuzzedRequest, type FuzzedRequest } from '#test/fuzz-request.ts'
import { makeRun } from '#test/make-run.ts'
import { makeUser, unique } from '#test/make.ts'
import { testApp, type Answer } from '#test/test-app.ts'
import type { Route } from './route.ts'
import { routes } from './routes/index.ts'

const seed = Number(process.env.RUNWRIGHT_FUZZ_SEED ?? Date.now() % 2 ** 31)
const requestsEach = Number(process.env.RUNWRIGHT_FUZZ_REQUESTS ?? 50)

const { app, ask, member, url, adminToken } = await testApp()
const assertDocumented = documented(JSON.parse((await ask('/openapi.json')).text) as Document)
const statuses = new Map<number, number>()

/** An organization for one endpoint, with something behind every name of an id. */
async function makeWorld(): Promise<{ ids: Record<string, number>; token: string }> {
  const { organizationId, userId, token, path } = await member()
  const repo = await ask(`${path}/repos`, { method: 'POST', token, body: { name: unique('repo') } })
  const run = await makeRun(app.pool, { organizationId, userId, repoId: Number(repo.body.id) })
  const { id: otherId } = await makeUser(app.pool, { organizationId })
  const made = await createToken(app.pool, app.tokenKeys, {
    organizationId,
    userId: otherId,
    name: 'fuzzed',
    scopes: null,
    scopesMax: ['read', 'run'],
    expiresAt: null,
  })
  const ids = { org_id: organizationId, agent_run_id: run.id, repo_id: Number(repo.body.id), user_id: otherId }
  return { ids: { ...ids, token_id: made.token.id, parent_run_id: run.id, n: 1 }, token }
}

/** Sends what `fetch` would refuse or mend. Of a stream only the head is read. */
function send(route: Route, { url: target, headers, body }: FuzzedRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const sent = request({ hostname, port, path: target, method: route.method, headers, agent: false }, (response) => {
      const end = (text: string) => {
        const given = new Headers(Object.entries(response.headers).map(([name, value]) => [name, String(value)]))
        const isJson = given.get('content-type')?.includes('json') && text
        const answer = { status: response.statusCode ?? 0, headers: given, text }
        resolve({ ...answer, body: isJson ? (JSON.parse(text) as Answer['body']) : {} })
      }
      if (response.headers['content-type']?.startsWith('text/event-stream')) {
        end('')
        return sent.destroy()
      }
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (chunk: string) => (text += chunk))
      response.on('end', () => end(text))
      return response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

for (const route of routes) {
  test(`${route.operationId} answers whatever it is sent as it documents, and never fails`, async (context) => {
    context.diagnostic(`RUNWRIGHT_FUZZ_SEED=${seed}`)
    const world = await makeWorld()
    const token = route.access === 'instance_admin' ? adminToken : world.token
    const { path, query, body } = route
    const property = fc.asyncProperty(fuzzedRequest({ path, query, body, ids: world.ids, token }), async (fuzzed) => {
      const answer = await send(route, fuzzed)
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
