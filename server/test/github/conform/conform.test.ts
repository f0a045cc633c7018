import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allRoutes } from '#test/github/routes/all-routes.ts'
import { openConform, type Asked, type Head } from './conform.ts'
import { operationAt } from './read-api.ts'

const addresses = { url: 'http://127.0.0.1:1', apiUrl: 'http://127.0.0.1:1/api/v3' }
const routes = allRoutes({ all: [], redeliver: () => {} })

function conform() {
  const deviations: string[] = []
  const { request, ...more } = openConform(addresses, { report: (what) => deviations.push(what), raise: () => {} })
  const head = { version: '2022-11-28', isLed: false }
  return {
    deviations,
    ...more,
    request: (asked: Asked, other: Partial<Head> = {}) => request(asked, { ...head, ...other }),
  }
}

/** What is asked for, as the fake has found it. */
function ask(at: string, params: Record<string, string>, { query = '', body = {} } = {}) {
  const route = routes.find((each) => each.at === at)
  assert.ok(route, at)
  const [method = '', path = ''] = at.replaceAll(/\{(\w+)\}/g, (_, name: string) => params[name] ?? '').split(' ')
  return { method, url: new URL(`${addresses.apiUrl}${path}${query}`), route, params, body }
}

const pulls = { owner: 'acme', repo: 'web' }

test('everything that is asked of the fake, and each answer, is in the documents of GitHub and of two Enterprise versions', () => {
  const all = ['api.github.com', 'ghes-3.17', 'ghes-3.19']
  for (const { at } of routes.filter((route) => route.at !== 'POST /graphql')) {
    const { requests = [], answers = {} } = operationAt(at) ?? {}
    for (const part of [requests, ...Object.values(answers)])
      assert.deepEqual(part.flatMap(({ versions }) => versions).toSorted(), all, at)
  }
})

test('a request with a path, a query or a body that GitHub does not take is named', () => {
  const { deviations, request } = conform()
  request(ask('GET /repos/{owner}/{repo}/pulls', pulls, { query: '?state=open&per_page=100' }))
  request(ask('POST /repos/{owner}/{repo}/pulls', pulls, { body: { title: 'a', head: 'b', base: 'c' } }))
  assert.deepEqual(deviations, [])
  request(ask('GET /repos/{owner}/{repo}/pulls', pulls, { query: '?state=new' }))
  request(ask('GET /repos/{owner}/{repo}/pulls', pulls, { query: '?heads=x' }))
  request(ask('GET /repos/{owner}/{repo}/pulls/{number}', { ...pulls, number: 'seven' }))
  request(ask('POST /repos/{owner}/{repo}/pulls', pulls, { body: { title: 'a', head: 'b' } }))
  request(ask('POST /repos/{owner}/{repo}/pulls', pulls, { body: { title: 'a', head: 'b', base: 'c', from: 'd' } }))
  request(ask('DELETE /installation/token', {}, { body: { token: 'a' } }))
  const all = '(api.github.com, ghes-3.17, ghes-3.19)'
  assert.deepEqual(deviations, [
    `GET /api/v3/repos/acme/web/pulls, query ${all}: /state must be equal to one of the allowed values (open, closed, all)`,
    `GET /api/v3/repos/acme/web/pulls, query ${all}: / must NOT have additional properties (heads)`,
    `GET /api/v3/repos/acme/web/pulls/seven, path ${all}: /pull_number must be integer`,
    `POST /api/v3/repos/acme/web/pulls, body ${all}: / must have required property 'base'`,
    `POST /api/v3/repos/acme/web/pulls, body ${all}: / must NOT have additional properties (from)`,
    `DELETE /api/v3/installation/token, body ${all}: GitHub takes none`,
  ])
})

test('a request without the version of the API, or to a path that only redirects lead to, is named', () => {
  const { deviations, request } = conform()
  const asked = ask('GET /repos/{owner}/{repo}', pulls)
  const byNumber = { ...asked, url: new URL(`${addresses.apiUrl}/repositories/7`) }
  request(byNumber, { isLed: true })
  assert.deepEqual(deviations, [])
  request(byNumber)
  request(asked, { version: undefined })
  request(asked, { version: '2026-03-10' })
  assert.deepEqual(deviations, [
    'GET /api/v3/repositories/7: GitHub publishes no such path',
    'GET /api/v3/repos/acme/web: X-GitHub-Api-Version is undefined, not 2022-11-28',
    'GET /api/v3/repos/acme/web: X-GitHub-Api-Version is 2026-03-10, not 2022-11-28',
  ])
})

test('an answer has all that GitHub’s has, and what it has already stays', () => {
  const { deviations, answer } = conform()
  const asked = ask('GET /repos/{owner}/{repo}', pulls)
  const { body } = answer(asked, { body: { id: 7, owner: { login: 'acme' }, html_url: 'http://127.0.0.1:1/acme/web' } })
  assert.deepEqual(deviations, [])
  const whole = body as Record<string, unknown> & { owner: Record<string, unknown> }
  assert.partialDeepStrictEqual(whole, {
    id: 7,
    owner: { login: 'acme', type: 'User' },
    html_url: 'http://127.0.0.1:1/acme/web',
  })
  assert.ok(Object.keys(whole).length > 60)
  assert.ok(!JSON.stringify(whole).includes('https://api.github.com'))
})

test('an answer that one version alone does not give is named with that version', () => {
  const { deviations, answer } = conform()
  const permissions = { enterprise_organization_installations: 'all' }
  answer(ask('GET /app/installations/{id}', { id: '7' }), { body: { permissions } })
  assert.deepEqual(deviations, [
    'GET /api/v3/app/installations/7 answers 200 (ghes-3.19): /permissions/enterprise_organization_installations must be equal to one of the allowed values (read, write)',
  ])
})

test('an answer of another type, word or status than GitHub’s is named', () => {
  const { deviations, answer, webhook } = conform()
  answer(ask('GET /repos/{owner}/{repo}', pulls), { body: { id: 'seven', default_branch: null } })
  answer(ask('GET /repos/{owner}/{repo}', pulls), { status: 201, body: {} })
  answer(ask('GET /repos/{owner}/{repo}', pulls), { status: 502, body: { message: 5 } })
  webhook('issues opened', { action: 'closed' })
  webhook('issues forgotten', {})
  assert.deepEqual(deviations, [
    'GET /api/v3/repos/acme/web answers 200: /id must be integer; /default_branch must be string',
    'GET /api/v3/repos/acme/web answers 201, which GitHub does not',
    'GET /api/v3/repos/acme/web answers 502: /message must be string',
    'webhook issues opened: /action must be equal to one of the allowed values (opened)',
    'webhook issues forgotten: describe-api.ts does not name it',
  ])
})
