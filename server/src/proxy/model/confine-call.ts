import type { Json, JsonObject } from '#base/json.ts'
import { asObject, isGiven, refused } from './call-parts.ts'
import { confineInput } from './confine-input.ts'
import { findOutside } from './find-outside.ts'
import type { Wire } from '#base/models/read-event.ts'
import type { ModelPath } from './find-model-path.ts'

type At = Pick<ModelPath, 'wire' | 'path'>

/**
 * The part of a model call that is forwarded: only known fields, which reach nothing outside and whose cost and usage we see. A
 * field that reaches the network, or what others have stored with the provider, is refused by name. Tools that the provider runs
 * itself and unknown fields are dropped, as agents offer them unasked. Throws `CallRefused`.
 */
export function confineCall(at: At, body: JsonObject): JsonObject {
  const { wire } = at
  for (const name of forbidden[wire]) {
    if (isGiven(body[name])) throw refused(`"${name}" may not be used here.`)
  }
  if (isDear(body)) throw refused('Only the ordinary service tier may be used here.')
  const outside = findOutside(body)
  if (outside) throw refused(`"${outside}" names something outside: send its bytes in the request instead.`)
  const kept = keepFields(wire === 'google' ? camelCase(body) : body, fields[wire])
  const tools = isGiven(kept['tools']) && { tools: keepTools(wire, kept['tools']) }
  return { ...kept, ...tools, ...special(at, kept) }
}

const [chatPath, responsesPath] = ['/chat/completions', '/responses']

function special({ wire, path }: At, kept: JsonObject): JsonObject {
  if (wire === 'chat' && path === chatPath && kept['stream'] === true) {
    // Without this a stream of this wire does not say what it used.
    return { stream_options: { ...asObject(kept['stream_options']), include_usage: true } }
  }
  if (wire === 'responses') {
    // Unless it is told not to, the provider keeps what it was asked and what it said.
    return { ...(path === responsesPath && { store: false }), ...confineInput(kept['input']) }
  }
  if (wire === 'anthropic') return keepEdits(kept)
  if (wire !== 'google') return {}
  const inner = kept['generateContentRequest']
  const model = asObject(inner)['model']
  return {
    ...(isGiven(kept['generationConfig']) && {
      generationConfig: keepFields(camelCase(asObject(kept['generationConfig'])), generation),
    }),
    ...(isGiven(inner) && {
      generateContentRequest: {
        ...confineCall({ wire, path }, asObject(inner)),
        ...(model !== undefined && { model }),
      },
    }),
  }
}

/** A summary that the provider would make is a call of its own. */
function keepEdits({ context_management: management }: JsonObject): JsonObject {
  const { edits, ...rest } = asObject(management)
  if (!Array.isArray(edits)) return {}
  const kept = edits.filter((edit) => {
    const { type } = asObject(edit)
    return typeof type === 'string' && type.startsWith('clear_')
  })
  return { context_management: { ...rest, edits: kept } }
}

/** Servers of tools, answers that are made later and fetched elsewhere, and conversations stored by others. */
const forbidden: Record<Wire, string[]> = {
  anthropic: ['mcp_servers', 'container', 'inference_geo'],
  chat: ['web_search_options', 'audio'],
  responses: ['background', 'previous_response_id', 'conversation', 'prompt', 'container'],
  google: ['cachedContent', 'cached_content'],
}

const names = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

const fields: Record<Wire, ReadonlySet<string>> = {
  anthropic: names(`model messages system max_tokens stream temperature top_p top_k stop_sequences tools tool_choice
    thinking metadata output_config output_format context_management cache_control`),
  // With what servers of one's own take beside what OpenAI does.
  chat: names(`model messages stream stream_options temperature top_p max_tokens max_completion_tokens n stop
    presence_penalty frequency_penalty logit_bias logprobs top_logprobs seed tools tool_choice parallel_tool_calls
    functions function_call response_format reasoning_effort verbosity user safety_identifier prompt_cache_key
    prompt_cache_retention top_k min_p repetition_penalty chat_template_kwargs enable_thinking thinking reasoning`),
  responses:
    names(`model input instructions stream stream_options temperature top_p max_output_tokens max_tool_calls tools
    tool_choice parallel_tool_calls text reasoning include user safety_identifier prompt_cache_key prompt_cache_retention
    truncation top_logprobs client_metadata`),
  google: names('contents systemInstruction tools toolConfig safetySettings generationConfig generateContentRequest'),
}

const generation =
  names(`temperature topP topK candidateCount maxOutputTokens stopSequences responseMimeType responseSchema
  responseJsonSchema _responseJsonSchema presencePenalty frequencyPenalty seed responseLogprobs logprobs thinkingConfig
  mediaResolution`)

const keepFields = (body: JsonObject, known: ReadonlySet<string>): JsonObject =>
  Object.fromEntries(Object.entries(body).filter(([name]) => known.has(name)))

/** This wire takes each name in two spellings; of both at once only one is sent. */
const camelCase = (body: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(body).map(([name, value]) => [
      name.replace(/([a-z])_([a-z])/g, (_, before: string, letter: string) => before + letter.toUpperCase()),
      value,
    ]),
  )

const ordinaryTiers = names('auto default standard standard_only flex')

/** Costs a multiple of what the price table knows. What is left of it is left out. */
function isDear({ service_tier, serviceTier, speed }: JsonObject): boolean {
  const isOrdinary = (tier: Json | undefined) =>
    !isGiven(tier) || (typeof tier === 'string' && ordinaryTiers.has(tier.toLowerCase()))
  return !isOrdinary(service_tier) || !isOrdinary(serviceTier) || (isGiven(speed) && speed !== 'standard')
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
