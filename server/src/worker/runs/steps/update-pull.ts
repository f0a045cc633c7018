import { HostError, type RepoRef } from '#adapters/codehosts/code-host.ts'
import type { Answer } from '#adapters/engines/engine.ts'
import type { App } from '#app/app.ts'
import { limits } from '#base/limits.ts'
import type { Verified } from './verify-work.ts'
import { bodyFoot, textOf } from './write-pull-body.ts'

export type UpdatePull = {
  ref: RepoRef
  number: number
  turn: number
  answer: Pick<Answer, 'answer' | 'body'>
  verified: readonly Verified[]
}

/**
 * Adds to an open pull request what a follow-up has done, above its foot, once. Nothing else in the text is touched: people may
 * have edited it. Where the host will not have it, or there is no room, the pull request stays as it was.
 */
export async function updatePull(app: App, { ref, number, turn, answer, verified }: UpdatePull): Promise<void> {
  const forge = app.hosts.forge(ref)
  const mark = `<!-- turn ${turn} -->`
  try {
    const { state, body } = await forge.getPull(ref, number)
    if (state !== 'open' || body.includes(mark)) return
    const foot = body.lastIndexOf(bodyFoot)
    const at = foot === -1 ? body.length : foot
    const added = app.mask(`${mark}\n### Follow-up\n\n${textOf(answer, verified)}\n\n`)
    const text = `${body.slice(0, at).trimEnd()}\n\n${added}${body.slice(at)}`
    if (text.length <= limits.commentCharactersMax) await forge.updatePull(ref, number, { body: text })
  } catch (error) {
    if (!(error instanceof HostError) || !error.isFinal) throw error
    app.logger.debug({ err: error, number }, 'could not bring a pull request up to date')
  }
}
