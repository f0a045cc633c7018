import type { AgentModel, AgentSpec } from './agent-spec.ts'

const entry = '@agentclientprotocol/codex-acp/dist/index.js'

/**
 * Codex. Its own sandbox is turned off: it needs links that it refuses to make here, and ours is around it. Features that
 * reach out to a host of its vendor at the start are off, too.
 */
export const codex: AgentSpec = {
  name: 'codex',
  title: 'Codex',
  packages: { '@agentclientprotocol/codex-acp': '2.6.0', '@openai/codex': '0.171.0' },
  provider: 'openai',
  needsResponses: true,
  entry,
  command: ({ node, modules }) => [node, `${modules}/${entry}`],
  environment: (_, { home }) => ({
    CODEX_HOME: `${home}/.codex`,
    TMPDIR: `${home}/tmp`,
    MODEL_PROVIDER: 'runwright',
    INITIAL_AGENT_MODE: 'agent-full-access',
  }),
  tokenVariables: ['RUN_MODEL_TOKEN'],
  files: (model) => ({ '.codex/config.toml': configOf(model), 'tmp/.keep': '' }),
}

const configOf = ({ id, baseUrl }: AgentModel) => `model = ${JSON.stringify(id)}
model_provider = "runwright"
approval_policy = "never"
sandbox_mode = "danger-full-access"
check_for_update_on_startup = false
[analytics]
enabled = false
[features]
plugins = false
remote_plugin = false
apps = false
plugin_discovery_prefetch = false
[model_providers.runwright]
name = "runwright"
base_url = ${JSON.stringify(`${baseUrl}/v1`)}
env_key = "RUN_MODEL_TOKEN"
wire_api = "responses"
requires_openai_auth = false
`
