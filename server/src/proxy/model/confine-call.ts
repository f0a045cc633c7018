import type { Json, JsonObject } from '#base/json.ts'
import type { ModelPath, Wire } from './find-model-path.ts'
import { CallRefused } from './refuse-call.ts'

/**
 * What is sent on of a call: nothing with which a provider would reach for the network, or for what other people have
 * stored with it, in the place of the sandbox, which may not; and nothing whose price or use we would not see. Tools that
 * the provider runs itself are left out; agents offer them unasked. Everything else of that kind is refused. Throws
 * `CallRefused`.
 */
export function confineCall({ wire, path }: Pick<ModelPath, 'wire' | 'path'>, body: JsonObject): JsonObject {
  for (const name of forbidden[wire]) {
    if (isGiven(body[name])) throw refused(`"${name}" may not be used here.`)
  }
  if (isDear(body)) throw refused('Only the ordinary service tier may be used here.')
  const outside = findOutside(body, 0)
  if (outside) throw refused(`"${outside}" names something outside: send its bytes in the request instead.`)
  const kept = isGiven(body['tools']) && { tools: keepTools(wire, body['tools']) }
  // Without this a stream of this wire does not say what it used.
  const isChatStream = wire === 'chat' && body['stream'] === true && path === '/chat/completions'
  const options = isChatStream && { stream_options: { ...asObject(body['stream_options']), include_usage: true } }
  return { ...body, ...kept, ...options }
}

/** Servers of tools, answers that are made later and fetched elsewhere, and conversations stored by others. */
const forbidden: Record<Wire, string[]> = {
  anthropic: ['mcp_servers', 'container'],
  chat: ['web_search_options'],
  responses: ['background', 'previous_response_id', 'conversation', 'prompt'],
  google: ['cachedContent', 'cached_content'],
}

const isGiven = (value: Json | undefined): boolean =>
  value !== undefined && value !== null && value !== false && !(Array.isArray(value) && value.length === 0)

/** Costs a multiple of what the price table knows. */
function isDear({ service_tier: tier, speed }: JsonObject): boolean {
  return tier === 'priority' || speed === 'fast'
}

/** Tools that run where the agent runs, by the beginning of their type. */
const ownTools: Partial<Record<Wire, RegExp>> = {
  anthropic: /^(?:custom$|bash_|text_editor_|computer_|memory_|tool_search_tool_)/,
  chat: /^(?:function|custom)$/,
  responses: /^(?:function|custom|namespace|local_shell|apply_patch|tool_search)$/,
}

function keepTools(wire: Wire, tools: Json | undefined): Json[] {
  if (Array.isArray(tools)) return tools.flatMap((tool) => keepTool(wire, tool))
  throw refused('"tools" must be a list.')
}

function keepTool(wire: Wire, tool: Json): Json[] {
  const { type, ...rest } = asObject(tool)
  if (wire === 'google') {
    const { functionDeclarations, function_declarations: declarations } = rest
    const declared = functionDeclarations ?? declarations
    return declared === undefined ? [] : [{ functionDeclarations: declared }]
  }
  if (typeof type !== 'string') return wire === 'anthropic' ? [tool] : []
  if (!ownTools[wire]?.test(type)) return []
  return type === 'namespace' ? [{ ...rest, type, tools: keepTools(wire, rest['tools']) }] : [tool]
}

/** Data that tools get and give is not looked into: there these names mean nothing. */
const opaque = new Set(['input', 'arguments', 'args', 'response', 'tools', 'metadata', 'input_schema', 'parameters'])

const depthMax = 200

/** The name of a part that the provider would fetch, or that lies stored with it. */
function findOutside(value: Json, depth: number): string | undefined {
  if (depth > depthMax) throw refused('The body is nested too deep.')
  if (Array.isArray(value)) return findFirst(value, (part) => findOutside(part, depth + 1))
  if (typeof value !== 'object' || value === null) return undefined
  const { type } = value
  if (type === 'url' || (type === 'file' && 'file_id' in value)) return 'source'
  for (const name of ['file_id', 'file_url', 'fileUri', 'file_uri']) {
    if (isGiven(value[name])) return name
  }
  const image = value['image_url']
  const address = typeof image === 'object' && image !== null && !Array.isArray(image) ? image['url'] : image
  if (typeof address === 'string' && !address.startsWith('data:')) return 'image_url'
  return findFirst(
    // The input of the responses wire is its conversation; elsewhere it is what a tool is given.
    Object.entries(value).filter(([name, part]) => !opaque.has(name) || (name === 'input' && Array.isArray(part))),
    ([, part]) => findOutside(part, depth + 1),
  )
}

function findFirst<Item>(items: Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found) return found
  }
  return undefined
}

const asObject = (value: Json | undefined): JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}

const refused = (message: string) => new CallRefused({ status: 400, code: 'invalid_request_error', message })
