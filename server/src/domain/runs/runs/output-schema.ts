import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Json, JsonObject } from '#base/json.ts'

/** A checker of what a run answers. Throws, with a sentence, for a schema that is none. */
export function compileOutputSchema(schema: JsonObject): (value: Json) => boolean {
  // A schema that calls itself asynchronous would answer a promise, which is always true.
  if ('$async' in schema) throw new Error('it must not be asynchronous')
  const ajv = new Ajv2020({ strict: false, inlineRefs: false, logger: false })
  formats.default(ajv)
  const check = ajv.compile(schema)
  return (value) => check(value)
}
