import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv, type ValidateFunction } from 'ajv'
import formats from 'ajv-formats'

export type Schema = { [keyword: string]: unknown }
/** What some versions of GitHub answer, or send. */
export type Answer = { versions: string[]; schema: Schema; example?: unknown }
/** What some versions of GitHub take. `path` names the parameters of the path in their order. */
export type Request = { versions: string[]; path: string[]; pathSchema: Schema; query: Schema; body: Schema | null }
/** Answers by status. Of several, those of api.github.com are the first. */
export type Operation = { requests: Request[]; answers: Record<string, Answer[]> }
/** What GitHub publishes of the part of its API that is here: `npm run generate:github` writes it. */
export type Api = {
  operations: Record<string, Operation>
  webhooks: Record<string, Answer[]>
  schemas: Record<string, Schema>
}

let known: Api | undefined
/** Read when it is needed first: most tests never do. */
export function readApi(): Api {
  const file = path.join(import.meta.dirname, '../published/generated/github-api.json')
  return (known ??= JSON.parse(readFileSync(file, 'utf8')) as Api)
}

/** `GET /repos/{owner}/{repo}/contents/{path...}` is `GET /repos/{}/{}/contents/{}` there. Undefined: GitHub tells nobody of it. */
export const operationAt = (at: string): Operation | undefined =>
  readApi().operations[at.replaceAll(/\{[^}]*\}/g, '{}')]

type Kind = 'texts' | 'json'
const ajvs = new Map<Kind, Ajv>()
const compiled = new WeakMap<Schema, ValidateFunction>()

/** What is wrong with a value; null where nothing is. `texts`: those of an address, which stand for numbers, too. */
export function faultIn(schema: Schema, value: unknown, kind: Kind = 'json'): string | null {
  const ajv = ajvs.get(kind) ?? open(kind)
  ajvs.set(kind, ajv)
  const check = compiled.get(schema) ?? ajv.compile(schema)
  compiled.set(schema, check)
  if (check(value)) return null
  const faults = (check.errors ?? []).map(({ instancePath, message, params }) => {
    const { additionalProperty, allowedValues } = params as { additionalProperty?: string; allowedValues?: unknown[] }
    return `${instancePath || '/'} ${message}${additionalProperty ? ` (${additionalProperty})` : ''}${allowedValues ? ` (${allowedValues.join(', ')})` : ''}`
  })
  return [...new Set(faults)].slice(0, 12).join('; ')
}

function open(kind: Kind): Ajv {
  const ajv = new Ajv({
    strict: false,
    allErrors: true,
    validateSchema: false,
    validateFormats: true,
    coerceTypes: kind === 'texts' ? 'array' : false,
    // Of what is compiled most is used a few times.
    inlineRefs: false,
    code: { optimize: false },
  })
  formats.default(ajv, ['date-time', 'uri'])
  // Bots have brackets in theirs: 41898282+github-actions[bot]@users.noreply.github.com.
  ajv.addFormat('email', /^[^\s@]+@[^\s@]+$/)
  // Each by itself: a part of one would be compiled anew for every schema that names it.
  for (const [name, schema] of Object.entries(readApi().schemas)) ajv.addSchema(schema, `github#/schemas/${name}`)
  return ajv
}
