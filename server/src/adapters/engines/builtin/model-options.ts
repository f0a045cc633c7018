import type { SendChecked } from '#adapters/codehosts/dial-out.ts'
import type { ModelConfig } from '#base/models/model-config.ts'
import { modelLimits } from '#base/models/model-limits.ts'
import { configOf, wireOf, type OwnProvider, type OwnProviders } from '#base/models/own-provider.ts'
import { providerNames, type ProviderName } from '#base/models/model-providers.ts'

/** Which model providers may be used, and how patient we are with them. */
export type ModelOptions = Partial<ModelConfig> & {
  /** The window of every model; else what is known of it. */
  contextTokens?: number
  /** How long one model call may be tried again, waits included. */
  patienceMs?: number
  /** How long a server may send nothing; three times as long where it is known not to stream. */
  silenceMs?: number
  /** How long one answer may take, however much of it comes. */
  answerMs?: number
  /** How much of one answer is read. */
  answerBytes?: number
  /** How servers that an organization has named are reached: those that are checked alone. */
  send?: SendChecked
  /** For whom: its share of lookups is taken. */
  asker?: number | null
  /** Those that the organization has added itself; one stands in for the operator's of the same name. */
  organization?: OwnProviders
}

/** One provider of models: `name` stands before those of its models, `provider` is how it is spoken to. */
export type Source = { name: string; provider: ProviderName; options: ModelOptions; own: OwnProvider | null }

/** All providers that there are: the operator's or what stands in for them, then the organization's other ones. */
export function sourcesOf(options: ModelOptions): Source[] {
  const { organization, ...rest } = options
  const own = (organization?.items ?? []).map((provider): Source => {
    const asker = organization ? { asker: organization.organizationId } : {}
    const { name, kind } = provider
    return {
      name,
      provider: wireOf(kind),
      options: { ...rest, ...configOf(provider), vision: undefined, ...asker },
      own: provider,
    }
  })
  const known = providerNames.flatMap((name): Source[] => {
    const instead = own.find((source) => source.name === name)
    if (instead) return [instead]
    return options[name] ? [{ name, provider: name, options: rest, own: null }] : []
  })
  return [...known, ...own.filter((source) => !known.includes(source))]
}

export const modelDefaults = {
  contextTokens: 128_000,
  patienceMs: 15 * 60_000,
  // Some providers send nothing while a model thinks, and small machines nothing while they read.
  silenceMs: 300_000,
  answerMs: modelLimits.modelAnswerMs,
  // A stream takes about 300 bytes for a token, and no model writes 200,000 of them at once.
  answerBytes: 64 * 1024 * 1024,
  stepsMax: 1_000,
} as const
