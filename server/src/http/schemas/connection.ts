import { Type } from 'typebox'
import { AnyObject, Component, Id, Nullable, RefTo } from './fields.ts'

const McpProvider = Component(
  'McpProvider',
  {
    id: Id,
    name: Type.String(),
    issuer: Type.String({ description: 'Where the server is. Empty if it runs in the sandbox.' }),
    authorization_endpoint: Type.String({ description: 'Empty: an ADMIN gives the server its credentials.' }),
    token_endpoint: Type.String({ description: 'Empty, like `authorization_endpoint`.' }),
    default_scopes: Nullable(Type.Array(Type.String())),
    is_mcp: Type.Boolean(),
    meta: Nullable(AnyObject({ description: 'The organization, and the repository if it is for one only.' })),
  },
  { description: 'An MCP server of an organization, in the form of a provider of access.' },
)
const McpProviders = Object.assign(Type.Array(RefTo(McpProvider), { title: 'McpProviders' }), {
  $id: 'McpProviders' as const,
})

const ConnectedProviders = Object.assign(
  Type.Array(Type.String(), {
    title: 'ConnectedProviders',
    description: 'Kinds of code hosts, and names of MCP servers and model providers.',
  }),
  { $id: 'ConnectedProviders' as const },
)

const Disconnected = Component('Disconnected', {
  provider: Type.String(),
  disconnected: Type.Integer({ minimum: 0, description: 'How many connections had this name.' }),
  message: Type.String(),
})

const SlackToken = Component('SlackToken', {
  token: Nullable(
    Type.String({ description: 'The token. It is shown only once, and is null when the response is replayed.' }),
  ),
  message: Type.String({ description: 'What to do with it.' }),
  expires_in_minutes: Type.Integer({ minimum: 1 }),
})

export const connectionComponents = [McpProvider, McpProviders, ConnectedProviders, Disconnected, SlackToken]
