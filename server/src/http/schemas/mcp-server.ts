import { Type } from 'typebox'
import { Component, Id, Nullable, PageOf, Text, Time } from './fields.ts'

const entriesMax = 20

const Values = (description: string, name: string) =>
  Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 4_000, pattern: '^[^\\r\\n\\0]*$' },
    propertyNames: { pattern: name },
    maxProperties: entriesMax,
    description,
  })

export const McpServerName = Type.String({
  pattern: '^[a-z0-9](?:[a-z0-9-]{0,22}[a-z0-9])?$',
  description: 'Part of the names of its tools: `mcp__name__tool`.',
})
const Url = Type.String({
  maxLength: 2_000,
  pattern: '^https?://[^\\s#@]+$',
  description:
    'Address of a remote server (streamable HTTP, or server-sent events). Hosts of private networks need RUNWRIGHT_PRIVATE_HOSTS.',
})
const Command = Type.Array(Text(2_000), {
  minItems: 1,
  maxItems: 50,
  description:
    'Program and arguments of a local server. It starts in the sandbox of each run and speaks over stdin and stdout.',
})
const Headers = Values(
  'HTTP headers for a remote server. `${NAME}` stands for the secret NAME. Everything else is shown to members.',
  '^[A-Za-z0-9-]{1,100}$',
)
const Env = Values(
  'Environment of a local server. `${NAME}` stands for the secret NAME. Everything else is shown to members.',
  '^[A-Za-z_][A-Za-z0-9_]{0,99}$',
)

/** What may be changed. */
const fields = {
  name: McpServerName,
  url: Nullable(Url),
  headers: Headers,
  command: Type.Unsafe<string[] | null>({ ...Command, type: ['array', 'null'] }),
  env: Env,
  enabled: Type.Boolean(),
}

export const NewMcpServer = Type.Object({
  name: McpServerName,
  repo_id: Type.Optional(Nullable(Id)),
  url: Type.Optional(fields.url),
  headers: Type.Optional(Headers),
  command: Type.Optional(fields.command),
  env: Type.Optional(Env),
  enabled: Type.Optional(Type.Boolean()),
})

export const McpServerChange = Type.Partial(Type.Object(fields))

const McpServerBody = Component(
  'McpServer',
  {
    id: Id,
    repo_id: Nullable(
      Type.Integer({ ...Id, description: 'Only runs in this repository use it. Null: all runs of the organization.' }),
    ),
    ...fields,
    created_at: Time,
    updated_at: Time,
  },
  {
    description:
      'A Model Context Protocol server. Exactly one of `url` and `command` is set. A server of a repository replaces one of the organization with the same name.',
  },
)

const McpTrialBody = Component('McpTrial', {
  ok: Type.Boolean(),
  error: Nullable(Type.String({ description: 'Why it could not be used.' })),
  tools: Type.Array(
    Type.Object({
      name: Type.String({ description: 'As models see it.' }),
      description: Type.String({ description: 'In the words of the server.' }),
    }),
  ),
  left_out: Type.Array(Type.String(), { description: 'Tools that cannot be offered to models, and why.' }),
})

export const mcpServerComponents = [McpServerBody, PageOf(McpServerBody), McpTrialBody]
