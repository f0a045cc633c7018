import { Type, type Static, type TObject, type TProperties, type TSchema } from 'typebox'
import { idMax } from '#base/ids.ts'
import { labelPattern } from '#base/labels.ts'
import { limits } from '#base/limits.ts'
import { efforts } from '#base/models/effort.ts'

export const Id = Type.Integer({ minimum: 1, maximum: idMax })
/** A number that is counted from 1 in one run. */
export const Ordinal = Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 })
export const Cost = Type.Number({ minimum: 0, maximum: 1_000_000 })
export const Images = Type.Array(Type.String(), {
  maxItems: limits.imagesMax,
  description:
    'Base64 data URIs of PNG, JPEG, GIF, or WebP images. Each may be at most 5 MiB and 8,000 pixels per side.',
})
/** Of a worker, and of whose runs it may take. */
export const Labels = Type.Array(Type.String({ pattern: labelPattern.source }), {
  maxItems: limits.labelsMax,
  description:
    'Labels that a worker must have to execute these runs; it must have all of them. A repository without labels uses those of its organization.',
})
export const Time = Type.String({ format: 'date-time', description: 'RFC 3339 timestamp in UTC with milliseconds.' })

/** The same, or null. Written as a list of types, so that a fault reads "must be string,null" and not as three faults. */
export function Nullable<Schema extends TSchema>(schema: Schema) {
  const { type, enum: words, ...rest } = schema as unknown as { type: string; enum?: unknown[] }
  return Type.Unsafe<Static<Schema> | null>({
    type: [type, 'null'],
    ...(words ? { enum: [...words, null] } : {}),
    ...rest,
  })
}

/** One word of a closed set. */
export function Word<const Words extends readonly string[]>(words: Words, options: { description?: string } = {}) {
  return Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...options })
}

/** Text with something to read in it. */
export const Text = (charactersMax: number, options: { description?: string } = {}) =>
  Type.String({ maxLength: charactersMax, pattern: '\\S', ...options })

/** Of a repository, and of an organization. */
export const DefaultModels = Type.Array(Text(200), {
  maxItems: limits.modelsNamedMax,
  description:
    'Runs that do not specify a model use the first one, and the next one when that cannot be used. A repository without default models uses those of its organization.',
})

export const Effort = Word(efforts, {
  description:
    'How much models think before they answer. The built-in agent asks for it in each provider’s own way; a model that refuses is asked without.',
})

export const MaxModelCalls = Type.Integer({
  minimum: 1,
  maximum: 20_000,
  description: 'How often one turn of the built-in agent may ask a model, up to the limit of the service.',
})

/** Of a repository, and of an organization. */
export const DefaultEffort = Nullable(
  Word(efforts, {
    description:
      'How much models think in runs that do not specify an effort. If null, the organization decides for a repository; otherwise it is `medium`.',
  }),
)

/** A JSON object of any content. */
export const AnyObject = (options: { description?: string } = {}) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, ...options })

/** Any JSON at all. */
export const AnyJson = (options: { description?: string } = {}) => Type.Unsafe<unknown>({ ...options })

/** An object that has a name of its own in the document, by which routes name what they answer. */
export function Component<const Name extends string, Fields extends TProperties>(
  name: Name,
  fields: Fields,
  options: { title?: string; description?: string } = {},
) {
  return Type.Object(fields, { $id: name, title: name, ...options }) as TObject<Fields> & { $id: Name }
}

/** A component by its name. */
export const RefTo = <Schema extends TSchema & { $id: string }>({ $id }: Schema) =>
  Type.Unsafe<Static<Schema>>({ $ref: `${$id}#` })

/** Of a stream, which a browser opens without a header of its own. */
export const ticketField = {
  ticket: Type.Optional(
    Type.String({ description: 'A single-use ticket from `stream-tickets`, instead of the `Authorization` header.' }),
  ),
}

export const OrganizationParams = Type.Object({ org_id: Id })
export const pageFields = {
  skip: Type.Integer({ minimum: 0, maximum: idMax, default: 0, description: 'Number of items to skip.' }),
  limit: Type.Integer({
    minimum: 1,
    maximum: limits.pageSizeMax,
    default: limits.pageSizeMax,
    description: 'Maximum number of items to return.',
  }),
}
export const PageQuery = Type.Object(pageFields)

/** `{items, total, page, size, pages}` of a component. */
export const PageOf = <Name extends string, Item extends TSchema & { $id: Name }>(item: Item & { $id: Name }) =>
  Component(`${item.$id}Page`, { items: Type.Array(RefTo(item)), ...pageNumbers })

export const pageNumbers = {
  total: Type.Integer({ minimum: 0 }),
  page: Type.Integer({ minimum: 1 }),
  size: Type.Integer({ minimum: 1 }),
  pages: Type.Integer({ minimum: 0 }),
}
