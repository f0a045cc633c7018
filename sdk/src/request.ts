import { operations, type ErrorBody, type Operations, type Place } from './generated/api.ts'
import { RunwrightError } from './runwright-error.ts'
import { sendAgain } from './send-again.ts'

export type ClientOptions = {
  /** Where the service is, such as `http://localhost:3900`. */
  baseUrl: string
  /** Left out in a browser that has signed in to the service: its cookie goes along. */
  token?: string | undefined
  /** How long a request may be tried again, in milliseconds; 10,000 when left out, 0 for never. */
  retryForMs?: number
}

const retryForMsDefault = 10_000

/** What an operation is given: what is in its path, in its query and in its body, as one object. */
export type Input<Name extends keyof Operations> = Operations[Name]['input']
export type RequestOptions = { signal?: AbortSignal | undefined }

/** Calls one operation of the API. Rejects with a `RunwrightError` for any answer that is no success. */
export async function request<Name extends keyof Operations>(
  options: ClientOptions,
  name: Name,
  input: Input<Name>,
  { signal }: RequestOptions = {},
): Promise<Operations[Name]['answer']> {
  const { mediaType } = operations[name]
  const response = await send(options, name, input, { signal })
  if (mediaType === null) return undefined
  if (mediaType === 'application/octet-stream') return new Uint8Array(await response.arrayBuffer())
  const text = await response.text()
  return (mediaType === 'application/json' ? JSON.parse(text) : text) as Operations[Name]['answer']
}

/**
 * The answer of a success, its body unread. What fails for a moment is tried again: every POST names itself by an
 * `Idempotency-Key`, so that it is carried out once however often it is sent.
 */
export async function send<Name extends keyof Operations>(
  { baseUrl, token, retryForMs = retryForMsDefault }: ClientOptions,
  name: Name,
  input: Input<Name>,
  { signal }: RequestOptions = {},
): Promise<Response> {
  const { method, path: template, mediaType } = operations[name]
  const { path, query, body } = split(operations[name], input)
  const url = `${withoutSlash(baseUrl)}${fill(template, path)}${queryText(query)}`
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    accept: mediaType ?? '*/*',
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    ...(method === 'POST' ? { 'idempotency-key': randomKey() } : {}),
  }
  const rest = { ...(body === undefined ? {} : { body: JSON.stringify(body) }), ...(signal ? { signal } : {}) }
  const response = await sendAgain({
    attempt: () => fetch(url, { method, headers, ...rest }),
    // What is gone already would be told not to be there.
    isRepeatable: method !== 'DELETE',
    retryForMs,
    signal,
  })
  if (!response.ok) throw new RunwrightError(response, parseError(await response.text()))
  return response
}

/** Browsers have `randomUUID` only on pages that came by HTTPS or from the same machine. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16).padStart(8, '0')).join('')
}

type Fields = Record<string, unknown>
type Value = string | number | boolean | undefined
type Query = Record<string, Value | Value[]>

function split(
  { path, query, hasBody }: Place,
  input: Fields = {},
): { path: Fields; query: Query; body: Fields | undefined } {
  const parts = { path: {} as Fields, query: {} as Query, body: {} as Fields }
  for (const [name, value] of Object.entries(input))
    parts[path.includes(`{${name}}`) ? 'path' : query.includes(name) ? 'query' : 'body'][name] = value
  return { ...parts, body: hasBody ? parts.body : undefined }
}

function fill(template: string, path: Fields): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(path[name])))
}

function queryText(query: Query): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((one) => one !== undefined)
      .map((one): [string, string] => [name, String(one)]),
  )
  return pairs.length ? `?${new URLSearchParams(pairs)}` : ''
}

/** A proxy in between may answer anything. */
function parseError(text: string): Partial<ErrorBody> {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}

function withoutSlash(url: string): string {
  let end = url.length
  while (url[end - 1] === '/') end--
  return url.slice(0, end)
}
