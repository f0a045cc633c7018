import { existsSync } from 'node:fs'
import path from 'node:path'
import { sourcesOf, type ModelOptions } from '#adapters/engines/builtin/model-options.ts'
import type { Engine } from '#adapters/engines/engine.ts'
import { providers } from '#base/models/model-providers.ts'
import { agentMount, type AgentSpec } from './agents/agent-spec.ts'

export type OpenAcp = {
  /** Where its packages are installed; the sandboxes' user can read it. */
  folder: string
  models: ModelOptions
  outputBytesMax?: number
}

/** An agent that people use already, inside the sandbox of a run, over the Agent Client Protocol. */
export function openAcp(spec: AgentSpec, { folder, models, outputBytesMax }: OpenAcp): Engine {
  return {
    name: spec.name,
    mounts: { [agentMount]: folder },
    usesMcp: true,
    availability(hasOwnModels = false) {
      const reason = whyNot(spec, { folder, models, hasOwnModels })
      return { available: reason === null, reason }
    },
    run: async (turn) =>
      (await import('./run-acp-turn.ts')).runAcpTurn(turn, { spec, options: models, outputBytesMax }),
  }
}

/** Looked at each time: an operator installs it while the service runs. */
function whyNot(spec: AgentSpec, { folder, models, hasOwnModels }: OpenAcp & { hasOwnModels: boolean }): string | null {
  if (!existsSync(path.join(folder, 'node_modules', spec.entry)))
    return `${spec.title} is not installed: run "runwright engines install ${spec.name}" where the workers are`
  if (hasOwnModels || sourcesOf(models).some(({ provider }) => provider === spec.provider)) return null
  const { title, keyVariable } = providers[spec.provider]
  return `${spec.title} needs a model of ${title}'s API: set ${keyVariable}, or add such a model provider to the organization`
}
