import path from 'node:path'
import type { Turn } from '#adapters/engines/engine.ts'
import type { ExecRequest } from '#adapters/sandboxes/sandbox.ts'
import { agentMount, type AgentModel, type AgentSpec } from './agents/agent-spec.ts'

export type AgentStart = Required<Pick<ExecRequest, 'argv' | 'env'>> & { home: string }

/** Writes what lies in the agent's home, and says how it is started. */
export async function prepareAgent(turn: Turn, spec: AgentSpec, model: AgentModel): Promise<AgentStart> {
  const { paths } = turn.sandbox
  const home = `${paths.home}/.agents/${spec.name}`
  const modules = `${paths.mounts[agentMount]}/node_modules`
  const places = { modules, node: `${paths.nodeFolder}/node`, home }
  const files = { '.keep': '', ...spec.files?.(model, places) }
  for (const [name, content] of Object.entries(files))
    await turn.sandbox.writeFile(path.posix.join(home, name), Buffer.from(content))
  const env = {
    ...spec.environment(model, places),
    HOME: home,
    XDG_CONFIG_HOME: `${home}/.config`,
    XDG_DATA_HOME: `${home}/.local/share`,
    XDG_CACHE_HOME: `${home}/.cache`,
    XDG_STATE_HOME: `${home}/.local/state`,
    NO_BROWSER: '1',
  }
  // The run's token is known inside alone.
  const tokens = spec.tokenVariables.map((name) => `export ${name}="$RUNWRIGHT_RUN_TOKEN"; `).join('')
  return { argv: ['sh', '-c', `${tokens}exec "$@"`, 'sh', ...spec.command(places, model)], env, home }
}
