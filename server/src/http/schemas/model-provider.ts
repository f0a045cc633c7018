import { Type } from 'typebox'
import { limits } from '#base/limits.ts'
import { modelKinds } from '#base/models/own-provider.ts'
import { Component, Id, Nullable, PageOf, Time, Word } from './fields.ts'

const modelsMax = 200

const Name = Type.String({
  pattern: '^[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?$',
  description:
    'First part of the names of its models: `name/model`. `anthropic`, `openai` or `google` replaces the provider of the service with that name for this organization; its `kind` must fit.',
})
const Kind = Word(modelKinds, {
  description:
    'The API it speaks: Anthropic’s messages, OpenAI’s responses (`openai`) or chat completions (`openai_chat`), or Google’s Gemini API.',
})
const BaseUrl = Type.String({
  maxLength: 2_000,
  pattern: '^https?://[^\\s#?@]+$',
  description:
    'Its address. Null: the address of Anthropic, OpenAI or Google. Hosts of private networks need RUNWRIGHT_PRIVATE_HOSTS.',
})
const Key = Type.String({
  minLength: limits.secretBytesMin,
  maxLength: 4_000,
  pattern: '^[\\x21-\\x7e]+$',
  description:
    'Its API key, or the token that Anthropic gives to a subscriber (`sk-ant-oat…`). It is stored encrypted, used for calls of models alone, and never shown.',
})
const Models = Type.Array(Type.String({ pattern: '^[\\x21-\\x7e]{1,150}$' }), {
  minItems: 1,
  maxItems: modelsMax,
  description: 'The only models that runs may use, as the provider calls them. Null: all that it has.',
})
const Price = Type.Number({ minimum: 0, maximum: 1_000_000 })

/** What may be changed. */
const fields = {
  member_keys_only: Type.Boolean({
    description:
      'Whether its models are asked with the keys of members alone. The organization then stores no key, and runs of members without one fail.',
  }),
  base_url: Nullable(BaseUrl),
  models: Type.Unsafe<string[] | null>({ ...Models, type: ['array', 'null'] }),
  input_usd: Nullable(
    Type.Number({
      ...Price,
      description: 'Price of a million input tokens. Null: as in the price list of the service.',
    }),
  ),
  output_usd: Nullable(
    Type.Number({ ...Price, description: 'Price of a million output tokens. Set together with `input_usd`.' }),
  ),
}
const Check = Type.Boolean({
  default: true,
  description: 'Whether it is tried first: its models are listed, and nothing is saved if that fails.',
})

export const NewModelProvider = Type.Object({
  name: Name,
  kind: Kind,
  base_url: Type.Optional(fields.base_url),
  member_keys_only: Type.Optional(fields.member_keys_only),
  key: Type.Optional(Nullable(Key)),
  models: Type.Optional(fields.models),
  input_usd: Type.Optional(fields.input_usd),
  output_usd: Type.Optional(fields.output_usd),
  check: Type.Optional(Check),
})

export const ModelProviderChange = Type.Object({
  ...Type.Partial(Type.Object(fields)).properties,
  key: Type.Optional(Nullable(Key)),
  check: Type.Optional(Check),
})

export const NewMemberKey = Type.Object({
  key: Key,
  base_url: Nullable(
    Type.String({
      maxLength: 2_000,
      description: 'The address that the key is meant for, as the model provider has it. It is saved for no other one.',
    }),
  ),
  check: Type.Optional(Check),
})

const memberKey = {
  last4: Type.String({ description: 'The last four characters of the key.' }),
  updated_at: Time,
}
const MemberKeyBody = Component('MemberKey', memberKey, {
  description: 'A member’s own key for a model provider. It is never shown.',
})

const ModelProviderBody = Component(
  'ModelProvider',
  {
    id: Id,
    name: Name,
    kind: Kind,
    has_key: Type.Boolean({ description: 'Whether the organization has stored a key for it.' }),
    my_key: Nullable(Type.Object(memberKey)),
    ...fields,
    created_at: Time,
    updated_at: Time,
  },
  {
    description:
      'A model provider of the organization. `my_key` is your own key for it, which runs that you start use.',
  },
)

const ModelProviderTrialBody = Component('ModelProviderTrial', {
  ok: Type.Boolean(),
  error: Nullable(Type.String({ description: 'Why its models could not be listed.' })),
  models: Type.Array(Type.String(), { description: 'Models it lists, at most 100.' }),
  total: Type.Integer({ description: 'How many it lists.' }),
  missing: Type.Array(Type.String(), { description: 'Models of `models` that it does not list.' }),
})

export const modelProviderComponents = [
  MemberKeyBody,
  ModelProviderBody,
  PageOf(ModelProviderBody),
  ModelProviderTrialBody,
]
