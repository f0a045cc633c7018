import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '#base/json.ts'
import { checkOutputSchema } from './check-output-schema.ts'

const organizationId = 1

test('a schema that can be used passes, and one that cannot is refused with the reason', async () => {
  await checkOutputSchema({ type: 'object', properties: { a: { type: 'string' } } }, { organizationId })
  const refused: [JsonObject, RegExp][] = [
    [{ type: 'no type' }, /output_schema is no JSON Schema that can be used: schema is invalid/],
    [{ $async: true }, /must not be asynchronous/],
    [{ pattern: '(' }, /is no JSON Schema that can be used/],
    [{ description: 'x'.repeat(64 * 1024) }, /is larger than 64 KiB/],
  ]
  for (const [schema, text] of refused)
    await assert.rejects(checkOutputSchema(schema, { organizationId }), { code: 'invalid_request', message: text })
})

test('whoever answers others goes on while a costly schema is compiled', async () => {
  const properties = Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`p${n}`, { type: 'string' }]))
  let turns = 0
  const turning = setInterval(() => turns++, 0)
  await checkOutputSchema({ type: 'object', properties }, { organizationId }).finally(() => clearInterval(turning))
  assert.ok(turns > 100, `${turns} turns of the event loop`)
})
