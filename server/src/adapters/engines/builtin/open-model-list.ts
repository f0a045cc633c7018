import { memoizeFor } from '#base/concurrency/memoize-for.ts'
import type { ListedModel } from './list-models.ts'
import type { ModelOptions } from './model-options.ts'

const KEPT_MS = 60_000

/** The list as it was up to a minute ago, asked for once however many want it. */
export function openModelList(options: ModelOptions): () => Promise<ListedModel[]> {
  // Loaded by whoever asks first, as many processes are never asked.
  return memoizeFor(KEPT_MS, async () => (await import('./list-models.ts')).listModels(options))
}
