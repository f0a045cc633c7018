import type { AgentSpec } from './agent-spec.ts'

const entry = '@google/gemini-cli/bundle/gemini.js'

/** Gemini CLI. It names the file of a session by the minute: one that is loaded within the same minute is lost. */
export const gemini: AgentSpec = {
  name: 'gemini',
  title: 'Gemini CLI',
  packages: { '@google/gemini-cli': '0.61.0' },
  provider: 'google',
  entry,
  command: ({ node, modules }) => [node, `${modules}/${entry}`, '--acp'],
  environment: ({ baseUrl }) => ({ GOOGLE_GEMINI_BASE_URL: baseUrl, GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
  tokenVariables: ['GEMINI_API_KEY'],
  files: ({ id }) => ({
    '.gemini/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: false } },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
      general: { disableAutoUpdate: true, enableAutoUpdate: false, enableAutoUpdateNotification: false },
      model: { name: id },
    }),
  }),
  authMethod: 'gemini-api-key',
  mode: 'yolo',
}
