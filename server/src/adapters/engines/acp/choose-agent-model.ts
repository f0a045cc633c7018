import { chooseModel } from '#adapters/engines/builtin/choose-model.ts'
import { sourcesOf, type ModelOptions } from '#adapters/engines/builtin/model-options.ts'
import { EngineError, type Turn } from '#adapters/engines/engine.ts'
import { providers } from '#base/models/model-providers.ts'
import type { AgentModel, AgentSpec } from './agents/agent-spec.ts'

type Spec = Pick<AgentSpec, 'title' | 'provider' | 'needsResponses'>

/**
 * The first of the run's models that the agent can speak to, or a default one of its provider. Rejects with an `EngineError`
 * that says what to set.
 */
export async function chooseAgentModel(turn: Turn, spec: Spec, options: ModelOptions): Promise<AgentModel> {
  const { proxyUrl } = turn.sandbox
  if (proxyUrl === null)
    throw new EngineError('no_model', `${spec.title} cannot be reached by a model here: its sandbox has no network.`)
  const { models: names, providers: own } = await turn.readSettings()
  const known: ModelOptions = own ? { ...options, organization: own } : options
  const named = names.length > 0 ? names : (options.defaultModels ?? [])
  const faults: string[] = []
  for (const name of named) {
    const found = await chooseModel(known, name, turn.signal).catch((error: Error) => void faults.push(error.message))
    const problem =
      found &&
      (found.provider !== spec.provider ? otherProvider(spec) : spec.needsResponses && found.isChat ? olderWire : null)
    if (problem) faults.push(`${found.name} cannot be used by ${spec.title}: ${problem}`)
    else if (found) return modelOf(found, proxyUrl)
  }
  // What somebody has asked for is not replaced by something else; what stands in the settings is for other engines, too.
  if (names.length > 0) throw new EngineError('no_model', faults.join(' '))
  const fallback = defaultOf(spec, known)
  if (fallback !== null) return modelOf(await chooseModel(known, fallback, turn.signal), proxyUrl)
  const { title, keyVariable } = providers[spec.provider]
  throw new EngineError(
    'no_model',
    `${spec.title} needs a model of ${title}'s API: set ${keyVariable}, or add such a model provider to the organization. ${faults.join(' ')}`.trim(),
  )
}

const olderWire = 'its server speaks the chat API alone, and the responses API is needed.'
const otherProvider = ({ provider }: Spec) => `it is not reached by ${providers[provider].title}'s API.`

function defaultOf({ provider, needsResponses }: Spec, options: ModelOptions): string | null {
  const source = sourcesOf(options).find(
    (one) => one.provider === provider && !(needsResponses && one.options.openai?.wire === 'chat'),
  )
  if (!source) return null
  const model = source.own?.models?.[0] ?? providers[provider].model
  return `${source.name}/${model}`
}

type Found = Awaited<ReturnType<typeof chooseModel>>

function modelOf({ name, id, contextTokens, canSeeImages }: Found, proxyUrl: string): AgentModel {
  const provider = name.slice(0, name.indexOf('/'))
  return { id, baseUrl: `${proxyUrl}/model/${provider}`, contextTokens, canSeeImages }
}
