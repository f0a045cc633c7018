import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { Route } from '#http/pipeline/route.ts'
import type { Answer } from './test-app.ts'

type Content = Record<string, { schema: object }>
/** What tests read of openapi.json. */
export type Document = {
  paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, { description: string; content?: Content }> }>
  >
}

/** A check of answers against what the document says of their operation and their status. */
export function documented(
  document: Document,
): (route: Pick<Route, 'method' | 'path' | 'operationId'>, answer: Answer) => void {
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
  formats.default(ajv)
  ajv.addSchema(document, 'openapi')
  return ({ method, path, operationId }, { status, headers, text, body }) => {
    const template = path.replaceAll(/:(\w+)/g, '{$1}')
    const response = document.paths[template]?.[method.toLowerCase()]?.responses[status]
    assert.ok(response, `${operationId} does not document ${status}: ${text}`)
    if (!response.content) return assert.equal(text, '')
    const mediaType = headers.get('content-type')?.split(';')[0] ?? ''
    assert.ok(response.content[mediaType], `${operationId} does not document ${mediaType}`)
    if (!mediaType.includes('json')) return
    const { schema } = response.content[mediaType]
    const place = ['paths', template, method.toLowerCase(), 'responses', status, 'content', mediaType, 'schema']
    const steps = place.map((step) => encodeURIComponent(String(step).replaceAll('~', '~0').replaceAll('/', '~1')))
    // Nearly all errors have the same schema, which is compiled once.
    const reference = `openapi${'$ref' in schema ? String(schema.$ref) : `#/${steps.join('/')}`}`
    const check = ajv.getSchema(reference)
    assert.ok(check?.(body), `${operationId} ${status}: ${ajv.errorsText(check?.errors)} in ${text}`)
  }
}
