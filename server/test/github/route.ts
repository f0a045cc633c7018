import { invalid } from './github-error.ts'
import type { Caller, Level, Repository, World } from './world.ts'

export type Call = {
  world: World
  method: string
  /** The path of the API with its query, as it was asked for. */
  url: URL
  params: Record<string, string>
  body: Record<string, unknown>
  accept: string
  by: Caller
  /** Of a route under `/repos/{owner}/{repo}`. */
  repository: Repository
}
export type Reply = { status?: number; body?: unknown; text?: string; headers?: Record<string, string> }

export type Route = {
  /** `GET /repos/{owner}/{repo}/pulls/{number}`; `{path...}` takes slashes, too. */
  at: string
  /** What an installation's token needs; any of them. People need the role that goes with it. */
  needs?: Partial<Record<string, Level>>
  /** For whoever sees the repository, whatever `needs` says of programs. */
  isForReaders?: boolean
  /** `app`: by a JSON web token alone. `nobody`: without any token. */
  only?: 'app' | 'nobody'
  answer: (call: Call) => Reply | Promise<Reply>
}

export function matchRoute(
  routes: readonly Route[],
  method: string,
  pathname: string,
): { route: Route; params: Record<string, string> } | null {
  for (const route of routes) {
    const [verb = '', shape = ''] = route.at.split(' ')
    if (verb !== method) continue
    const match = patternOf(shape).exec(pathname)
    if (!match) continue
    const named = Object.entries(match.groups ?? {})
    return { route, params: Object.fromEntries(named.map(([name, value]) => [name, decodeURIComponent(value)])) }
  }
  return null
}

const patterns = new Map<string, RegExp>()
function patternOf(shape: string): RegExp {
  const known = patterns.get(shape)
  if (known) return known
  const source = shape.replaceAll(/\{(\w+)(\.\.\.)?\}/g, (_, name: string, rest?: string) =>
    rest ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`,
  )
  const made = new RegExp(`^${source}$`)
  patterns.set(shape, made)
  return made
}

/** A page of a list, with the `Link` header by which one finds the next. */
export function page(call: Call, all: readonly unknown[], wrap?: (items: unknown[]) => unknown): Reply {
  const size = Math.min(100, Math.max(1, Number(call.url.searchParams.get('per_page') ?? 30) || 30))
  const number = Math.max(1, Number(call.url.searchParams.get('page') ?? 1) || 1)
  const last = Math.max(1, Math.ceil(all.length / size))
  const link = (to: number, relation: string) => {
    const url = new URL(call.url)
    url.searchParams.set('page', String(to))
    return `<${url}>; rel="${relation}"`
  }
  const links = [
    ...(number > 1 ? [link(number - 1, 'prev'), link(1, 'first')] : []),
    ...(number < last ? [link(number + 1, 'next'), link(last, 'last')] : []),
  ]
  const items = all.slice((number - 1) * size, number * size)
  return { body: wrap ? wrap(items) : items, headers: links.length ? { link: links.join(', ') } : {} }
}

/** A text of the body; null where there is none. Longer ones than GitHub takes are refused as it does. */
export function textOf(call: Call, name: string, resource = 'Issue'): string | null {
  const value = call.body[name]
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw invalid(resource, { field: name })
  if (value.length > 65_536)
    throw invalid(resource, {
      field: name,
      code: 'custom',
      message: `${name} is too long (maximum is 65536 characters)`,
    })
  return value
}

export function needText(call: Call, name: string, resource = 'Issue'): string {
  const text = textOf(call, name, resource)
  if (!text) throw invalid(resource, { field: name, code: 'missing_field' })
  return text
}

export function textsOf(call: Call, name: string): string[] {
  const value = call.body[name]
  return Array.isArray(value) ? value.map(String) : []
}

/** What was said at or after `since`. */
export function since<Item extends { updatedAt: Date }>(call: Call, items: readonly Item[]): Item[] {
  const from = call.url.searchParams.get('since')
  return from ? items.filter((item) => item.updatedAt >= new Date(from)) : [...items]
}
