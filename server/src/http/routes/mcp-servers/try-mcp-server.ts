import { Type } from 'typebox'
import { McpFault, type ConnectMcp, type ListedTools } from '#adapters/mcp/mcp.ts'
import { getMcpServer } from '#domain/repos/mcp-servers/get-mcp-server.ts'
import { readTarget, type Target } from '#domain/repos/mcp-servers/read-target.ts'
import { listOrganizationSecrets } from '#domain/repos/secrets/list-organization-secrets.ts'
import { listRepoSecrets } from '#domain/repos/secrets/list-repo-secrets.ts'
import { defineRoute, organizationPath } from '#http/pipeline/route.ts'
import { Id } from '#http/schemas/fields.ts'

const TRY_MS = 30_000

export const tryMcpServerRoute = defineRoute({
  method: 'POST',
  path: `${organizationPath}/mcp-servers/:mcp_server_id/try`,
  operationId: 'tryMcpServer',
  tag: 'MCP servers',
  summary: 'Try an MCP server',
  description:
    'Connects to a remote server and lists its tools. A local server starts in the sandbox of a run only: the log of a run says whether it could be used.',
  policy: 'standard',
  access: 'manage_mcp_servers',
  params: Type.Object({ org_id: Id, mcp_server_id: Id }),
  success: { status: 200, description: 'Whether it can be used, and its tools.', component: 'McpTrial' },
  errors: ['mcp_server_not_found'],
  handle: async ({ app, db, params }) => {
    const organizationId = params.org_id
    const server = await getMcpServer(db, { organizationId, mcpServerId: params.mcp_server_id })
    const { repoId } = server
    const secrets =
      repoId === null
        ? await listOrganizationSecrets(db, app.secretBox, organizationId)
        : await listRepoSecrets(db, app.secretBox, { organizationId, repoId })
    const target = readTarget(server, secrets)
    if ('fault' in target) return failed(`The MCP server ${server.name} failed: ${target.fault}`)
    const listed = await attempt(app.connectMcp, target, organizationId)
    // It may repeat what it was sent.
    const hide = (text: string) =>
      secrets.reduce((all, { name, value }) => all.replaceAll(value, `[redacted:${name}]`), text)
    if (typeof listed === 'string') return failed(hide(listed))
    const tools = listed.tools.map(({ name, description }) => ({ name, description: hide(description) }))
    return { ok: true, error: null, tools, left_out: listed.leftOut.map(hide) }
  },
})

const failed = (error: string) => ({ ok: false, error, tools: [], left_out: [] })

async function attempt(
  connectMcp: ConnectMcp,
  { name, place }: Target,
  organizationId: number,
): Promise<ListedTools | string> {
  if (place.kind === 'local')
    return 'A local server starts in the sandbox of a run only. Start a run: its log says whether it could be used.'
  const signal = AbortSignal.timeout(TRY_MS)
  try {
    await using connection = await connectMcp({ name, place }, { organizationId, signal })
    return await connection.listTools(signal)
  } catch (error) {
    if (signal.aborted) return `The MCP server ${name} did not answer in time.`
    if (error instanceof McpFault) return error.message
    throw error
  }
}
