import { memoizeFor } from '#base/concurrency/memoize-for.ts'
import type { OwnProviders } from '#base/models/own-provider.ts'
import type { ListedModel } from './list-models.ts'
import { sourcesOf, type ModelOptions } from './model-options.ts'

export type ModelList = (organization: OwnProviders) => Promise<ListedModel[]>

const KEPT_MS = 60_000
const PROVIDERS_KEPT = 200

/** The models of each provider as they were up to a minute ago, asked for once however many want them. */
export function openModelList(options: ModelOptions): ModelList {
  const lists = new Map<string, () => Promise<ListedModel[]>>()
  return async (organization) => {
    // Loaded by whoever asks first, as many processes are never asked.
    const { listModelsOf } = await import('./list-models.ts')
    const listed = sourcesOf({ ...options, organization }).map((source) => {
      // Of two organizations no provider is the same, nor before and after a change.
      const key = source.own ? JSON.stringify([organization.organizationId, source.own.version]) : source.name
      const list = lists.get(key) ?? memoizeFor(KEPT_MS, () => listModelsOf(source))
      lists.delete(key)
      lists.set(key, list)
      return list()
    })
    for (const oldest of lists.keys()) if (lists.size > PROVIDERS_KEPT) lists.delete(oldest)
    return (await Promise.all(listed)).flat()
  }
}
