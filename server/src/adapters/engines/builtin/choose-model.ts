import { createAnthropic } from '@ai-sdk/anthropic'
import { createGoogle } from '@ai-sdk/google'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { calcPrice } from '@pydantic/genai-prices'
import type { LanguageModel } from 'ai'
import { EngineError } from '#adapters/engines/engine.ts'
import {
  baseUrlOf,
  isModelAllowed,
  isNamed,
  providerNames,
  providers,
  type ProviderName,
} from '#base/models/model-providers.ts'
import { fetchModel } from './fetch-model.ts'
import { findDefaultModel } from '#base/models/find-default-model.ts'
import { listModelIds } from './list-models.ts'
import { modelDefaults, type ModelOptions } from './model-options.ts'
import { whyNoModel } from './why-no-model.ts'

export type ChosenModel = {
  provider: ProviderName
  /** As the provider knows it. */
  id: string
  /** `anthropic/claude-…` */
  name: string
  languageModel: LanguageModel
  contextTokens: number
  /** OpenAI's older wire, which servers of one's own speak. */
  isChat: boolean
  /** Whether a tool may show it images. Over the chat wire only where it is known to see: many servers take them and look away. */
  canSeeImages: boolean
}

/** A turn's models in the order in which they are asked, and why others that were named are left out. */
export type ChosenModels = { models: ChosenModel[]; left: string[] }

/** Finds the models that a run names, or the operator's. Rejects as `chooseModel` does where none of them can be used. */
export async function chooseModels(
  options: ModelOptions,
  names: readonly string[],
  signal: AbortSignal,
): Promise<ChosenModels> {
  const named = names.length > 0 ? names : (options.defaultModels ?? [])
  if (named.length < 2) return { models: [await chooseModel(options, named[0] ?? null, signal)], left: [] }
  const found = await Promise.allSettled(named.map((name) => chooseModel(options, name, signal)))
  const models = found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  const faults = found.flatMap((each) => (each.status === 'rejected' ? [each.reason as Error] : []))
  if (models.length === 0) throw faults[0] ?? new EngineError('no_model', 'No model is named.')
  return { models, left: faults.map(({ message }) => message) }
}

/** Finds the model that a run names, or the default one. Rejects with an `EngineError` that says what to set. */
export async function chooseModel(
  options: ModelOptions,
  request: string | null,
  signal: AbortSignal,
): Promise<ChosenModel> {
  const { provider, id } = resolveName(options, request ?? (await findDefault(options, signal)))
  const wire = provider === 'openai' ? options.openai?.wire : undefined
  const name = `${provider}/${id}`
  if (!isModelAllowed(options, name)) {
    throw new EngineError('no_model', `The model ${name} may not be used here: RUNWRIGHT_MODELS does not name it.`)
  }
  return {
    provider,
    id,
    name,
    languageModel: connect(options, provider, id),
    contextTokens: contextTokensOf(options, provider, id),
    isChat: wire === 'chat',
    canSeeImages: wire !== 'chat' || seesImages(options, { id, name }),
  }
}

function resolveName(options: ModelOptions, name: string): { provider: ProviderName; id: string } {
  const [, prefix, rest] = /^([^/]+)\/(.+)$/.exec(name) ?? []
  const named = providerNames.find((provider) => provider === prefix)
  if (named && rest) {
    if (options[named]) return { provider: named, id: rest }
    const { title, keyVariable } = providers[named]
    throw new EngineError('no_model', `The model ${name} is ${title}'s, which is not configured: set ${keyVariable}.`)
  }
  const likely = providerNames.find((provider) => options[provider] && providers[provider].names.test(name))
  // Any other name can only be of a server of one's own, or of the one provider there is.
  const provider = likely ?? (options.openai ? 'openai' : providerNames.find((candidate) => options[candidate]))
  if (!provider) throw new EngineError('no_model', `The model ${name} cannot be used: ${whyNoModel(options)}.`)
  return { provider, id: name }
}

async function findDefault(options: ModelOptions, signal: AbortSignal): Promise<string> {
  const known = findDefaultModel(options)
  if (known !== null) return known
  const provider = providerNames.find((name) => options[name])
  if (!provider) throw new EngineError('no_model', `There is no model to ask: ${whyNoModel(options)}.`)
  const listed = await listModelIds(options, provider, signal).catch((error: Error) => {
    signal.throwIfAborted()
    throw new EngineError('no_model', `${error.message} Or name a model with RUNWRIGHT_MODEL.`, { retryable: true })
  })
  const names = listed.map((id) => `${provider}/${id}`)
  const first = names.find((name) => isModelAllowed(options, name)) ?? names[0]
  if (first) return first
  throw new EngineError('no_model', `${baseUrlOf(options, provider)} lists no model: name one with RUNWRIGHT_MODEL.`)
}

function connect(options: ModelOptions, provider: ProviderName, id: string): LanguageModel {
  const baseURL = baseUrlOf(options, provider)
  const apiKey = options[provider]?.apiKey?.reveal()
  if (provider === 'anthropic') return createAnthropic({ baseURL, fetch: fetchModel, apiKey: apiKey ?? '' })(id)
  if (provider === 'google') return createGoogle({ baseURL, fetch: fetchModel, apiKey: apiKey ?? '' })(id)
  // The SDK takes a key from the environment, or fails, when it is given none; a server of one's own takes any.
  if (options.openai?.wire === 'responses')
    return createOpenAI({ baseURL, fetch: fetchModel, apiKey: apiKey ?? 'none' }).responses(id)
  return createOpenAICompatible({
    name: 'openai',
    baseURL,
    fetch: fetchModel,
    includeUsage: true,
    ...(apiKey ? { apiKey } : {}),
  })(id)
}

/** Families of models that people run themselves, or reach through other servers, and that see. */
const SEEING = (
  'claude gemini gemma-3 gemma3 gemma-4 gemma4 gpt-4o gpt-4.1 gpt-5 gpt-6 pixtral llava moondream minicpm-v internvl molmo ' +
  'llama-4 llama4 mistral-small mistral-medium multimodal -vl 2.5vl 3vl glm-4v glm-4.5v vision omni'
).split(' ')

function seesImages({ vision }: ModelOptions, { id, name }: { id: string; name: string }): boolean {
  return vision?.some((written) => isNamed(written, name)) ?? SEEING.some((part) => id.toLowerCase().includes(part))
}

function contextTokensOf(options: ModelOptions, provider: ProviderName, id: string): number {
  const known = calcPrice({ input_tokens: 0, output_tokens: 0 }, id, { providerId: provider })?.model.context_window
  return options.contextTokens ?? known ?? modelDefaults.contextTokens
}
