import type { AgentModel, AgentSpec } from './agent-spec.ts'

/** The package of the platform itself: the program of the main one is put there by an install script. */
const platform = `opencode-${process.platform}-${process.arch}`
const entry = `${platform}/bin/opencode`

/** OpenCode, over OpenAI's older wire, which servers of one's own speak. */
export const opencode: AgentSpec = {
  name: 'opencode',
  title: 'OpenCode',
  packages: { [platform]: '1.18.34' },
  provider: 'openai',
  entry,
  command: ({ modules }) => [`${modules}/${entry}`, 'acp'],
  environment: (model) => ({
    OPENCODE_DISABLE_AUTOUPDATE: '1',
    OPENCODE_DISABLE_MODELS_FETCH: '1',
    OPENCODE_DISABLE_SHARE: '1',
    OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
    OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
    OPENCODE_CONFIG_CONTENT: JSON.stringify(configOf(model)),
  }),
  tokenVariables: [],
}

function configOf({ id, baseUrl, contextTokens, canSeeImages }: AgentModel) {
  const model = `runwright/${id}`
  const described = {
    name: id,
    tool_call: true,
    attachment: canSeeImages,
    limit: { context: contextTokens, output: 32_000 },
    modalities: { input: canSeeImages ? ['text', 'image'] : ['text'], output: ['text'] },
  }
  return {
    autoupdate: false,
    share: 'disabled',
    enabled_providers: ['runwright'],
    model,
    small_model: model,
    permission: { '*': 'allow' },
    provider: {
      runwright: {
        npm: '@ai-sdk/openai-compatible',
        name: 'runwright',
        options: { baseURL: `${baseUrl}/v1`, apiKey: '{env:RUNWRIGHT_RUN_TOKEN}' },
        models: { [id]: described },
      },
    },
  }
}
