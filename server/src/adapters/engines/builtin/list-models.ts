import { z } from 'zod'
import {
  baseUrlOf,
  isModelAllowed,
  keyHeadersOf,
  providerNames,
  providers,
  withoutSecrets,
  type ProviderName,
} from '#base/models/model-providers.ts'
import type { ModelOptions } from './model-options.ts'

const TIME_MS = 10_000

export type ListedModel = { name: string; provider: ProviderName; available: boolean; reason: string | null }

/** The models of all configured providers. One that cannot be asked is there as a single line that says why. */
export async function listModels(options: ModelOptions, signal?: AbortSignal): Promise<ListedModel[]> {
  const configured = providerNames.filter((name) => options[name])
  const lists = await Promise.all(
    configured.map(async (provider): Promise<ListedModel[]> => {
      try {
        const ids = await listModelIds(options, provider, signal)
        const names = ids.map((id) => `${provider}/${id}`).filter((name) => isModelAllowed(options, name))
        return names.map((name) => ({ name, provider, available: true, reason: null }))
      } catch (error) {
        signal?.throwIfAborted()
        return [{ name: `${provider}/*`, provider, available: false, reason: (error as Error).message }]
      }
    }),
  )
  return lists.flat()
}

const answers = z.union([
  z.object({ data: z.array(z.object({ id: z.string() })) }).transform(({ data }) => data.map(({ id }) => id)),
  z
    .object({ models: z.array(z.object({ name: z.string() })) })
    .transform(({ models }) => models.map(({ name }) => name.replace(/^models\//, ''))),
])

/** What one provider lists, in its order. Rejects with a message that a person can act on. */
export async function listModelIds(options: ModelOptions, name: ProviderName, signal?: AbortSignal): Promise<string[]> {
  const { title, baseUrlVariable, keyVariable } = providers[name]
  const where = withoutSecrets(options, `${baseUrlOf(options, name)}/models`)
  const signals = [AbortSignal.timeout(TIME_MS), ...(signal ? [signal] : [])]
  let response: Response
  try {
    response = await fetch(`${baseUrlOf(options, name)}/models`, {
      headers: {
        ...keyHeadersOf(options, name),
        ...(name === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {}),
      },
      signal: AbortSignal.any(signals),
    })
  } catch (error) {
    signal?.throwIfAborted()
    throw new Error(`${title} cannot be reached at ${where}: check ${baseUrlVariable}.`, { cause: error })
  }
  if (response.status === 401 || response.status === 403) {
    throw new Error(`${title} refuses the key (${response.status} from ${where}): check ${keyVariable}.`)
  }
  if (!response.ok) throw new Error(`${title} does not list its models: ${response.status} from ${where}.`)
  const parsed = answers.safeParse(await response.json().catch(() => null))
  if (!parsed.success) throw new Error(`${where} did not answer with a list of models: check ${baseUrlVariable}.`)
  return parsed.data
}
