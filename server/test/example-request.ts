import assert from 'node:assert/strict'
import type { Route } from '#http/pipeline/route.ts'
import { makePublicKey } from './make-public-key.ts'
import { unique } from './make.ts'
import type { World } from './world.ts'

export type ExampleRequest = { method: string; path: string; body?: Record<string, unknown> }

/** Other values for the parameters of the path and those that must stand after it, and more or other fields of the body. */
export type Changes = { params?: Record<string, string | number>; body?: Record<string, unknown> }

/** A host that is not dialled: it is not public. */
export const nowhere = 'http://127.0.0.1:9'

const values = (): Record<string, unknown> => ({
  prompt: 'Go',
  commands: 'true',
  agent_type: 'scripted',
  name: unique('name'),
  full_name: 'Bot',
  status: 'queued',
  role: 'MEMBER',
  rules: 'Be kind.',
  answer: 'yes',
  body: 'Well done.',
  title: 'It could be better',
  limit_usd: 2_000,
  type: 'github',
  base_url: nowhere,
  url: `${nowhere}/mcp`,
  kind: 'openai_chat',
  key: unique('key of a model provider').replaceAll(' ', '-'),
  check: false,
  form_code: 'code',
  form_state: 'state',
  value: unique('value'),
  muted: ['plan'],
  resolved: true,
  query: 'status=failed',
  session_id: unique('session'),
  tool_name: 'start_run',
  arguments: { prompt: 'Go', agent_type: 'scripted' },
  contestants: [{ agent_type: 'scripted' }, { agent_type: 'scripted' }],
})

/** What `name` in its path is one of. */
export const isOfSecrets = ({ path }: Pick<Route, 'path'>): boolean => path.endsWith('/secrets/:name')

const ofSession = { status: 'COMPLETE', log: { type: 'assistant', message: { content: 'Well done.' } } }

/** A request that the endpoint takes, about what is in this world: of what is optional only the plain fields. */
export function exampleRequest(route: Route, world: World, changes: Changes = {}): ExampleRequest {
  const name = isOfSecrets(route) ? world.secret : world.file
  const params: Record<string, string | number> = {
    ...world.ids,
    name,
    sha: world.commit,
    check_key: world.checkKey,
    confirm: world.confirm,
    engine: 'claude_code',
    session_id: world.session,
    // An MCP server of its.
    provider: 'tried',
    // The file that its pull request adds.
    path: world.word,
    ...changes.params,
  }
  const ofIds = route.path.replaceAll(/:(\w+)/g, (_, name: string) => {
    assert.ok(name in params, `${route.operationId}: makeWorld makes no ${name}`)
    return encodeURIComponent(params[name]!)
  })
  const asked = neededInQuery(route).map((name) => `${name}=${params[name]}`)
  const path = asked.length ? `${ofIds}?${asked.join('&')}` : ofIds
  const { method } = route
  if (!route.body) return { method, path, ...(changes.body && { body: changes.body }) }
  const { properties, required = [] } = route.body as unknown as { properties: object; required?: string[] }
  const plain = values()
  // Of a person; that of a repository goes with what it is connected by, and with no name.
  if ('integration_id' in properties) delete plain.full_name
  if ('can_push' in properties) plain.key = makePublicKey()
  if (route.path.includes('/claude_code/')) Object.assign(plain, ofSession)
  const body: Record<string, unknown> = {}
  for (const name of Object.keys(properties)) {
    if (name in plain) body[name] = plain[name]
    else if (name === 'token') body[name] = world.token
    else if (required.includes(name)) {
      assert.ok(name in world.ids, `${route.operationId}: exampleRequest has no value for ${name}`)
      body[name] = world.ids[name]
    }
  }
  return { method, path, body: { ...body, ...changes.body } }
}

/** What must stand after the path. */
export function neededInQuery({ query }: Pick<Route, 'query'>): string[] {
  const { required = [], properties = {} } = (query ?? {}) as { required?: string[]; properties?: object }
  return required.filter((name) => !('default' in (properties as Record<string, object>)[name]!))
}
