import { sourcesOf, type ModelOptions } from '#adapters/engines/builtin/model-options.ts'
import type { Engine, EnginePackage } from '#adapters/engines/engine.ts'
import { providers } from '#base/models/model-providers.ts'
import { agentMount, type AgentSpec } from './agents/agent-spec.ts'
import { findInstalled, packagesText } from './find-installed.ts'
import { installAgent } from './install-agent.ts'

export type OpenAcp = {
  /** Where its packages are installed; the sandboxes' user can read it. */
  folder: string
  models: ModelOptions
  /** What npm is given of the environment. */
  npmEnvironment?: Record<string, string>
  outputBytesMax?: number
}

/** An agent that people use already, inside the sandbox of a run, over the Agent Client Protocol. */
export function openAcp(spec: AgentSpec, { folder, models, npmEnvironment = {}, outputBytesMax }: OpenAcp): Engine {
  const installable: EnginePackage = {
    newest: packagesText(spec.packages),
    findInstalled: () => findInstalled(folder, spec),
    install: () => installAgent({ spec, folder, env: npmEnvironment }),
  }
  return {
    name: spec.name,
    title: spec.title,
    mounts: { [agentMount]: folder },
    usesMcp: true,
    package: installable,
    availability(hasOwnModels = false) {
      const reason =
        installable.findInstalled() === null ? notInstalled(spec) : whyNoModel(spec, { models, hasOwnModels })
      return { available: reason === null, reason }
    },
    run: async (turn) =>
      (await import('./run-acp-turn.ts')).runAcpTurn(turn, { spec, options: models, outputBytesMax }),
  }
}

const notInstalled = ({ title, name }: AgentSpec) =>
  `${title} is not installed: run "runwright engines install ${name}" where the workers are, or have an admin install it on the page Engines`

function whyNoModel(
  { title, provider }: AgentSpec,
  { models, hasOwnModels }: { models: ModelOptions; hasOwnModels: boolean },
): string | null {
  if (hasOwnModels || sourcesOf(models).some((source) => source.provider === provider)) return null
  const { title: api, keyVariable } = providers[provider]
  return `${title} needs a model of ${api}'s API: set ${keyVariable}, or add such a model provider to the organization`
}
