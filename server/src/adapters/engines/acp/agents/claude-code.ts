import type { AgentSpec } from './agent-spec.ts'

const entry = '@agentclientprotocol/claude-agent-acp/dist/index.js'

/** Claude Code. It offers no plan of its own, and a title is asked for by a call of a model without tools. */
export const claudeCode: AgentSpec = {
  name: 'claude_code',
  title: 'Claude Code',
  packages: { '@agentclientprotocol/claude-agent-acp': '0.101.0' },
  provider: 'anthropic',
  entry,
  command: ({ node, modules }) => [node, `${modules}/${entry}`],
  environment: ({ id, baseUrl }, { home }) => ({
    CLAUDE_CONFIG_DIR: `${home}/.claude`,
    ANTHROPIC_BASE_URL: baseUrl,
    ANTHROPIC_MODEL: id,
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_BUG_COMMAND: '1',
    // Else tools of MCP servers are hidden behind one that searches for them.
    ENABLE_TOOL_SEARCH: 'false',
    // Without it the mode is refused to root, which a user of a sandbox may look like.
    IS_SANDBOX: '1',
  }),
  tokenVariables: ['ANTHROPIC_API_KEY'],
  mode: 'bypassPermissions',
}
