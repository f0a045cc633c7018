import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { Forge } from '#adapters/codehosts/forge.ts'

export type LabelPull = { forge: Forge; ref: RepoRef; number: number; labels: string[] }

/** What the log says of it: the labels that a pull request has got, or why it has none. */
export type Labelled = { labels?: string[]; labels_refused?: string }

/** A host that may not be asked for this is no reason to wait, as for what may go well at another try. */
export async function labelPull({ forge, ref, number, labels }: LabelPull): Promise<Labelled> {
  if (!labels.length || !forge.addLabels) return {}
  try {
    await forge.addLabels(ref, number, labels)
    return { labels }
  } catch (error) {
    if (!(error instanceof HostError) || error.code === 'unavailable' || error.code === 'rate_limited') throw error
    return { labels_refused: error.message }
  }
}
