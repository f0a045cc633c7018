import type { Clock } from '#base/clock.ts'
import type { ListedModel } from './list-models.ts'
import type { ModelOptions } from './model-options.ts'

const KEPT_MS = 60_000

/** The list as it was up to a minute ago, asked for once however many want it. */
export function openModelList(options: ModelOptions, clock: Clock): () => Promise<ListedModel[]> {
  let kept: { at: number; list: Promise<ListedModel[]> } | undefined
  return async () => {
    const now = clock.now().getTime()
    if (!kept || now - kept.at > KEPT_MS) kept = { at: now, list: list(options) }
    return kept.list
  }
}

async function list(options: ModelOptions): Promise<ListedModel[]> {
  const { listModels } = await import('./list-models.ts')
  return listModels(options)
}
