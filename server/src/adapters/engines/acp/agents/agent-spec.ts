import type { ProviderName } from '#base/models/model-providers.ts'

/** The name under which an agent's packages are shown inside. */
export const agentMount = 'engine'

/** The model that an agent is to use, and where it reaches it from inside a sandbox. */
export type AgentModel = {
  /** As its provider knows it. */
  id: string
  /** Of the model proxy, without the version: `http://127.0.0.1:3128/model/anthropic`. */
  baseUrl: string
  contextTokens: number
  canSeeImages: boolean
}

/** Where things of an agent lie inside a sandbox. */
export type AgentPlaces = {
  /** The folder `node_modules` with its packages, read-only. */
  modules: string
  node: string
  /** Its own, writable. */
  home: string
}

/** An agent that speaks the Agent Client Protocol: how it is installed, and how it is started quietly and without a key. */
export type AgentSpec = {
  /** As in `agent_type`. */
  name: string
  /** As people know it. */
  title: string
  /** What npm installs for it: exact versions, the newest that were tried. */
  packages: Readonly<Record<string, string>>
  /** How its models are spoken to. */
  provider: ProviderName
  /** Whether it cannot speak OpenAI's older wire. */
  needsResponses?: boolean
  /** The file, below `node_modules`, without which it is not installed. */
  entry: string
  command(places: AgentPlaces, model: AgentModel): string[]
  environment(model: AgentModel, places: AgentPlaces): Record<string, string>
  /** Variables that hold the run's token, which stands for a key at the model proxy. */
  tokenVariables: readonly string[]
  /** What lies in its home before it starts, by path. */
  files?(model: AgentModel, places: AgentPlaces): Record<string, string>
  /** What the protocol's `authenticate` asks for; left out where it asks for nothing. */
  authMethod?: string
  /** The mode in which it asks for no permission: the sandbox is what holds it. */
  mode?: string
}
