import type { Json, JsonObject } from '#base/json.ts'
import type { ModelServerRequest } from './model-server.ts'
import type { Wire } from './model-wires.ts'

type Called = { calls: string[]; results: string[] }

/**
 * What a strict provider has against a question; undefined: nothing. It wants every call to have an id of its own, and one
 * result, as those of Anthropic and OpenAI do.
 */
export function findRefusal({ wire, body }: ModelServerRequest): string | undefined {
  const { calls, results } = readers[wire](body)
  const twice = calls.find((id, index) => calls.indexOf(id) !== index)
  if (twice !== undefined) return `Ids of calls must be unique: ${twice || 'an empty one'} is there twice.`
  if (calls.some((id) => id.trim() === '')) return 'A call has an empty id.'
  if (calls.toSorted().join() !== results.toSorted().join())
    return `The calls ${calls.join()} have the results ${results.join()}.`
  return undefined
}

const list = (value: Json | undefined) => (Array.isArray(value) ? (value as JsonObject[]) : [])
const texts = (values: (Json | undefined)[]) => values.map(String)

/** Google's calls have no ids: they are counted. */
const readers: Record<Wire, (body: JsonObject) => Called> = {
  anthropic: (body) => {
    const blocks = list(body['messages']).flatMap(({ content }) => list(content))
    const of = (type: string) => blocks.filter((block) => block['type'] === type)
    return {
      calls: texts(of('tool_use').map(({ id }) => id)),
      results: texts(of('tool_result').map((block) => block['tool_use_id'])),
    }
  },
  chat: (body) => {
    const messages = list(body['messages'])
    return {
      calls: texts(messages.flatMap((message) => list(message['tool_calls']).map(({ id }) => id))),
      results: texts(messages.filter(({ role }) => role === 'tool').map((message) => message['tool_call_id'])),
    }
  },
  responses: (body) => {
    const of = (type: string) => list(body['input']).filter((item) => item['type'] === type)
    const ids = (items: JsonObject[]) => texts(items.map((item) => item['call_id']))
    return { calls: ids(of('function_call')), results: ids(of('function_call_output')) }
  },
  google: (body) => {
    const parts = list(body['contents']).flatMap((content) => list(content['parts']))
    const count = (name: string) => parts.filter((part) => part[name]).map((_, index) => String(index))
    return { calls: count('functionCall'), results: count('functionResponse') }
  },
}
