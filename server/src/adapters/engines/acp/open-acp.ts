import { existsSync } from 'node:fs'
import { sourcesOf, type ModelOptions } from '#adapters/engines/builtin/model-options.ts'
import type { Engine, EnginePackage } from '#adapters/engines/engine.ts'
import { providers } from '#base/models/model-providers.ts'
import { agentMount, type AgentSpec } from './agents/agent-spec.ts'
import type { OwnAgent } from './agents/read-own-agents.ts'
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
  const reason = (hasOwnModels: boolean) =>
    installable.findInstalled() === null ? notInstalled(spec) : whyNoModel(spec, { models, hasOwnModels })
  return { ...engineOf(spec, { folder, models, reason, outputBytesMax }), package: installable }
}

/** One of the operator's own, which is installed by other means. */
export function openOwnAcp({ spec, folder }: Omit<OwnAgent, 'name'>, { models }: Pick<OpenAcp, 'models'>): Engine {
  const reason = (hasOwnModels: boolean) =>
    folder !== null && !existsSync(folder)
      ? `${spec.title} is not installed: there is no folder ${folder}`
      : whyNoModel(spec, { models, hasOwnModels })
  return engineOf(spec, { folder, models, reason, outputBytesMax: undefined })
}

type EngineOf = Pick<OpenAcp, 'models'> & {
  folder: string | null
  outputBytesMax: number | undefined
  reason: (hasOwnModels: boolean) => string | null
}

function engineOf(spec: AgentSpec, { folder, models, reason, outputBytesMax }: EngineOf): Engine {
  return {
    name: spec.name,
    title: spec.title,
    ...(folder !== null && { mounts: { [agentMount]: folder } }),
    usesMcp: true,
    availability(hasOwnModels = false) {
      const why = reason(hasOwnModels)
      return { available: why === null, reason: why }
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
