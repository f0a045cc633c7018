import type { App } from '#app/app.ts'
import { noteOnce } from '#domain/runs/steps/note-once.ts'
import type { Visitor } from '#proxy/open-proxy.ts'
import type { CallRefusal } from './refuse-call.ts'

export type NoteRefusal = { visitor: Visitor; noted: Set<string>; refusal: CallRefusal }

/** Refusals for want of something that somebody else may give, or send less of. */
const shownToPeople = new Set([402, 403, 408, 413, 429, 503])

/** Has the run's log say, once a turn, which limit its sandbox has met, and who may raise it. */
export async function noteRefusal(
  app: Pick<App, 'pool' | 'mask' | 'logger'>,
  { visitor: { holder }, noted, refusal }: NoteRefusal,
): Promise<void> {
  const name = `${refusal.status}/${refusal.code}`
  if (!shownToPeople.has(refusal.status) || noted.has(name)) return
  noted.add(name)
  // Those of money and of models say who may change it.
  const who =
    refusal.status === 402 || refusal.status === 403 ? '' : ' This limit is the service’s own, for each sandbox.'
  const observation = `A call of a model from the sandbox was refused: ${refusal.message}${who}`
  const entry = { messageType: 'ERROR', toolName: 'model', observation } as const
  await noteOnce(app.pool, { holder, key: `t${holder.turn}/refused/${name}`, entry, mask: app.mask }).catch(
    (error: unknown) => app.logger.debug({ err: error, runId: holder.runId }, 'could not record a refused request'),
  )
}
