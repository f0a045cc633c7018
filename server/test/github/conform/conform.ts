import type { Reply, Route } from '#test/github/route.ts'
import { complete } from './complete.ts'
import { openDeviations, type Deviations } from './deviations.ts'
import { faultIn, operationAt, readApi, type Answer } from './read-api.ts'

/** What is not in GitHub's documents of its REST API, and is here all the same. */
const unpublished = new Set(['POST /graphql'])

export type Asked = {
  method: string
  /** With its query, of which the rest is not looked at. */
  url: URL
  route: Route
  params: Record<string, string>
  body: Record<string, unknown>
}

/** `isLed`: an answer of this server has led there. */
export type Head = { version: string | string[] | undefined; isLed: boolean }

/** Holds requests, answers and webhooks to what GitHub publishes. What deviates fails the test that it came up in. */
export type Conform = Pick<Deviations, 'raise'> & {
  request(asked: Asked, head: Head): void
  /** The answer with all that GitHub's has. */
  answer(asked: Pick<Asked, 'method' | 'url' | 'route'>, reply: Reply): Reply
  /** The payload with all that GitHub's has. */
  webhook(name: string, payload: Record<string, unknown>): Record<string, unknown>
}

/** Addresses of examples become those of this server. */
export function openConform(
  { url, apiUrl }: { url: string; apiUrl: string },
  { report, raise }: Deviations = openDeviations(),
): Conform {
  const examples = new Map<Answer, unknown>()
  const exampleOf = (answer: Answer): unknown => {
    if (answer.example === undefined) return undefined
    const text = JSON.stringify(answer.example)
    const ours = text.replaceAll('https://api.github.com', apiUrl).replaceAll('https://github.com', url)
    if (!examples.has(answer)) examples.set(answer, JSON.parse(ours))
    return examples.get(answer)
  }
  const whole = (place: string, answers: Answer[], first: Answer, body: unknown): unknown => {
    const completed = complete(first.schema, body, exampleOf(first))
    for (const fault of faultsIn(answers, completed)) report(`${place}${fault}`)
    return completed
  }
  return {
    raise,
    request: (asked, head) => [...faultsInHead(asked, head), ...faultsInRequest(asked)].forEach(report),
    answer: ({ method, url: at, route }, reply) => {
      if (unpublished.has(route.at)) return reply
      const { status = 200, body } = reply
      const place = `${method} ${at.pathname} answers ${status}`
      const operation = operationAt(route.at)
      if (!operation) report(`${route.at}: GitHub has no such operation`)
      const answers = operation?.answers[status] ?? (status >= 400 ? [refusal] : [])
      const [first] = answers
      if (!first && status < 300) report(`${place}, which GitHub does not`)
      return first && body !== undefined ? { ...reply, body: whole(place, answers, first, body) } : reply
    },
    webhook: (name, payload) => {
      const known = readApi().webhooks[name] ?? []
      const [first] = known
      if (!first) report(`webhook ${name}: describe-api.ts does not name it`)
      return first ? (whole(`webhook ${name}`, known, first, payload) as Record<string, unknown>) : payload
    },
  }
}

/** What GitHub says no with where an operation does not say how. */
const refusal: Answer = { versions: [], schema: { $ref: 'github#/schemas/basic-error' } }

/** What is the same in all versions is said once, without their names. */
function faultsIn(answers: Answer[], body: unknown): string[] {
  const faults = answers.map(({ versions, schema }) => ({ versions, fault: faultIn(schema, body) }))
  const same = new Set(faults.map(({ fault }) => fault)).size === 1
  if (same) return faults[0]?.fault ? [`: ${faults[0].fault}`] : []
  return faults.flatMap(({ versions, fault }) => (fault ? [` (${versions.join(', ')}): ${fault}`] : []))
}

/** The version that the adapter is written for. */
const version = '2022-11-28'

function faultsInHead({ method, url }: Asked, head: Head): string[] {
  const place = `${method} ${url.pathname}`
  return [
    ...(head.version === version ? [] : [`${place}: X-GitHub-Api-Version is ${head.version}, not ${version}`]),
    // GitHub leads there, and tells nobody of it.
    ...(/\/repositories\/\d/.test(url.pathname) && !head.isLed ? [`${place}: GitHub publishes no such path`] : []),
  ]
}

function faultsInRequest({ method, url, route, params, body }: Asked): string[] {
  if (unpublished.has(route.at)) return []
  const operation = operationAt(route.at)
  const place = `${method} ${url.pathname}`
  if (!operation) return [`${place}: GitHub has no ${route.at}`]
  const values = Object.values(params)
  return operation.requests.flatMap(({ versions, path, pathSchema, query, body: schema }) => {
    const named = Object.fromEntries(path.map((name, index) => [name, values[index]]))
    const parts = [
      ['path', faultIn(pathSchema, named, 'texts')],
      ['query', faultIn(query, Object.fromEntries(url.searchParams), 'texts')],
      ['body', schema ? faultIn(schema, body) : Object.keys(body).length ? 'GitHub takes none' : null],
    ]
    return parts.flatMap(([part, fault]) => (fault ? [`${place}, ${part} (${versions.join(', ')}): ${fault}`] : []))
  })
}
