import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/test-app.ts'
import fastify from 'fastify'
import { addRoute } from './add-route.ts'
import { compressAnswers } from './compress-answers.ts'
import { openRecent, watchTokens } from '#http/build-server.ts'
import { buildDocument } from '#http/document.ts'
import { routes } from '#http/routes/index.ts'
import { getHealthRoute } from '#http/routes/system/get-health.ts'
import { getMeRoute } from '#http/routes/users/get-me.ts'

const { app, rateLimiter } = await testApp()
const plannedEnd = {
  deprecatedAt: new Date('2026-12-01T00:00:00Z'),
  endsAt: new Date('2027-06-01T00:00:00Z'),
  explainedAt: 'https://example.com/why',
}

test('an endpoint that is going away says so on every answer, be it a refusal', async () => {
  const server = fastify()
  const deps = { app, rateLimiter, wrongTokens: watchTokens(app) }
  for (const route of [getHealthRoute, getMeRoute])
    addRoute(server, { route: { ...route, plannedEnd }, deps, recent: openRecent(deps), compress: compressAnswers() })
  for (const [url, status] of [
    ['/healthz', 200],
    ['/v1/users/me', 401],
  ] as const) {
    const { statusCode, headers } = await server.inject({ url })
    assert.equal(statusCode, status)
    assert.equal(headers.deprecation, '@1796083200')
    assert.equal(headers.sunset, 'Tue, 01 Jun 2027 00:00:00 GMT')
    assert.equal(headers.link, '<https://example.com/why>; rel="deprecation"; type="text/html"')
  }
  await server.close()
})

test('the documentation marks it, and nothing else; no end lies before its announcement', async () => {
  const document = (await buildDocument([{ ...getHealthRoute, plannedEnd }, getMeRoute])) as {
    paths: Record<string, { get: { deprecated?: boolean } }>
  }
  assert.equal(document.paths['/healthz']?.get.deprecated, true)
  assert.equal(document.paths['/v1/users/me']?.get.deprecated, undefined)
  for (const { plannedEnd: end, operationId } of routes)
    if (end?.endsAt) assert.ok(end.endsAt > end.deprecatedAt, operationId)
})
