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
  isProviderName,
  isSubscriptionToken,
  providers,
  subscriptionBeta,
  type ProviderName,
} from '#base/models/model-providers.ts'
import { lackOfKey } from '#base/models/own-provider.ts'
import { dialModel } from './dial-model.ts'
import { fetchBy, fetchModel } from './fetch-model.ts'
import { findDefaultModel } from '#base/models/find-default-model.ts'
import { listModelIds } from './list-models.ts'
import { modelDefaults, sourcesOf, type ModelOptions, type Source } from './model-options.ts'
import { whyNoModel } from './why-no-model.ts'

export type ChosenModel = {
  provider: ProviderName
  /** As the provider knows it. */
  id: string
  /** `anthropic/claude-…` */
  name: string
  /** Those of its provider, and of no other one. */
  options: ModelOptions
  languageModel: LanguageModel
  contextTokens: number
  /** OpenAI's older wire, which servers of one's own speak. */
  isChat: boolean
  /** Whether a tool may show it images. Over the chat wire only where it is known to see: many servers take them and look away. */
  canSeeImages: boolean
}

/** A turn's models in the order in which they are asked, and why others that were named are left out. */
export type ChosenModels = { models: ChosenModel[]; left: string[] }

/** Finds the models that a run names, or the default ones. Rejects as `chooseModel` does where none of them can be used. */
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
  const { source, id } = request === null ? await findDefault(options, signal) : resolveName(options, request)
  requireKey(source)
  const { provider, options: its } = source
  const wire = provider === 'openai' ? its.openai?.wire : undefined
  const name = `${source.name}/${id}`
  if (!isModelAllowed(its, name)) {
    const why = source.own
      ? `the model provider ${source.name} is limited to other models`
      : 'RUNWRIGHT_MODELS does not name it'
    throw new EngineError('no_model', `The model ${name} may not be used here: ${why}.`)
  }
  return {
    provider,
    id,
    name,
    options: its,
    languageModel: connect(its, provider, id),
    contextTokens: contextTokensOf(its, provider, id),
    isChat: wire === 'chat',
    canSeeImages: wire !== 'chat' || seesImages(its, { id, name }),
  }
}

type Resolved = { source: Source; id: string }

function resolveName(options: ModelOptions, name: string): Resolved {
  const [, prefix, rest] = /^([^/]+)\/(.+)$/.exec(name) ?? []
  const sources = sourcesOf(options)
  const named = sources.find((source) => source.name === prefix)
  if (named && rest) return { source: named, id: rest }
  if (rest && options.organization?.removed.some((removed) => removed === prefix)) {
    const message = `The model ${name} cannot be used: the model provider ${prefix} was removed from this organization. Name another model.`
    throw new EngineError('no_model', message)
  }
  if (prefix && rest && isProviderName(prefix)) {
    const { title, keyVariable } = providers[prefix]
    throw new EngineError('no_model', `The model ${name} is ${title}'s, which is not configured: set ${keyVariable}.`)
  }
  const likely = sources.find(({ provider }) => providers[provider].names.test(name))
  // Any other name can only be of a server of one's own, or of the one provider there is.
  const source = likely ?? sources.find((one) => one.name === 'openai') ?? sources[0]
  if (!source) throw new EngineError('no_model', `The model ${name} cannot be used: ${whyNoModel(options)}.`)
  return { source, id: name }
}

async function findDefault(options: ModelOptions, signal: AbortSignal): Promise<Resolved> {
  const known = findDefaultModel(options, options.organization)
  if (known !== null) return resolveName(options, known)
  const [source] = sourcesOf(options)
  if (!source) throw new EngineError('no_model', `There is no model to ask: ${whyNoModel(options)}.`)
  requireKey(source)
  const hint = source.own
    ? 'Or name a model in the default models of the organization.'
    : 'Or name a model with RUNWRIGHT_MODEL.'
  const listed = await listModelIds(source.options, source.provider, signal).catch((error: Error) => {
    signal.throwIfAborted()
    throw new EngineError('no_model', `${error.message} ${hint}`, { retryable: true })
  })
  const first = listed.find((id) => isModelAllowed(source.options, `${source.name}/${id}`)) ?? listed[0]
  if (first) return { source, id: first }
  throw new EngineError('no_model', `${baseUrlOf(source.options, source.provider)} lists no model. ${hint}`)
}

function requireKey({ name, own }: Source): void {
  if (own?.lacksKey) throw new EngineError('no_model', `${lackOfKey(name)}.`)
}

function connect(options: ModelOptions, provider: ProviderName, id: string): LanguageModel {
  const baseURL = baseUrlOf(options, provider)
  const apiKey = options[provider]?.apiKey?.reveal()
  const fetch = options.own === undefined ? fetchModel : fetchBy(dialModel(options))
  if (provider === 'anthropic') {
    if (apiKey === undefined || !isSubscriptionToken(apiKey))
      return createAnthropic({ baseURL, fetch, apiKey: apiKey ?? '' })(id)
    return createAnthropic({ baseURL, fetch, authToken: apiKey, headers: { 'anthropic-beta': subscriptionBeta } })(id)
  }
  if (provider === 'google') return createGoogle({ baseURL, fetch, apiKey: apiKey ?? '' })(id)
  // The SDK takes a key from the environment, or fails, when it is given none; a server of one's own takes any.
  if (options.openai?.wire === 'responses')
    return createOpenAI({ baseURL, fetch, apiKey: apiKey ?? 'none' }).responses(id)
  return createOpenAICompatible({ name: 'openai', baseURL, fetch, includeUsage: true, ...(apiKey ? { apiKey } : {}) })(
    id,
  )
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
