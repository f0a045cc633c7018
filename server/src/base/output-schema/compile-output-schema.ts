import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Json, JsonObject } from '#base/json.ts'

const FAULTS_MAX = 10

/** A checker of what a run answers: what does not fit, a sentence each; none where all does. Throws, with a sentence, for a schema that is none. */
export function compileOutputSchema(schema: JsonObject): (value: Json) => string[] {
  // A schema that calls itself asynchronous would answer a promise, which is always true.
  if ('$async' in schema) throw new Error('it must not be asynchronous')
  const ajv = new Ajv2020({ strict: false, inlineRefs: false, allErrors: true, logger: false })
  formats.default(ajv)
  const check = ajv.compile(schema)
  return (value) => {
    if (check(value)) return []
    const faults = (check.errors ?? []).map(({ instancePath, message = 'does not fit', params }) => {
      const extra = 'additionalProperty' in params ? `: ${String(params['additionalProperty'])}` : ''
      return `${instancePath || 'the value'} ${message}${extra}`
    })
    return [...new Set(faults)].slice(0, FAULTS_MAX)
  }
}
