import type { Json } from '#base/json.ts'
import { asObject, isGiven, refused } from './call-parts.ts'

/** Data that tools get and give is not looked into: there these names mean nothing. */
const opaque = new Set(
  ['input', 'arguments', 'args', 'response', 'tools', 'metadata', 'input_schema', 'parameters'].concat(
    // What an answer is to look like.
    ['schema', 'json_schema', 'responseSchema', 'responseJsonSchema', 'response_schema'],
  ),
)

const depthMax = 200
const stored = ['file_id', 'file_url', 'fileUri', 'file_uri', 'container_id', 'vector_store_ids']

/** The name of a part of a call that the provider would fetch, or that lies stored with it. */
export function findOutside(value: Json, depth = 0): string | undefined {
  if (depth > depthMax) throw refused('The body is nested too deep.')
  if (Array.isArray(value)) return findFirst(value, (part) => findOutside(part, depth + 1))
  if (typeof value !== 'object' || value === null) return undefined
  const { type } = value
  if (type === 'url' || (type === 'file' && 'file_id' in value)) return 'source'
  for (const name of stored) {
    if (isGiven(value[name])) return name
  }
  // What a model has said aloud before; what is sent to it has its bytes.
  if (isGiven(asObject(value['audio'])['id'])) return 'audio'
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
