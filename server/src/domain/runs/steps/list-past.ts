import { rows, type Db } from '#db/pool.ts'
import { imageColumn, type ImageRef } from '#domain/runs/messages/message.ts'
import { stepColumns, type Step } from '#domain/runs/holder.ts'

/** What happened in a run so far, oldest first: what people said, and steps. */
export type PastItem =
  | { type: 'message'; turn: number; text: string; images: ImageRef[]; beforeStep: number }
  | { type: 'step'; turn: number; step: Step }

export async function listPast(
  db: Db,
  { organizationId, runId }: { organizationId: number; runId: number },
): Promise<PastItem[]> {
  const messages = await rows<{ turn: number; text: string; images: ImageRef[]; beforeStep: number }>(
    db,
    pastMessages,
    [organizationId, runId],
  )
  const steps = await rows<Step>(db, pastSteps, [organizationId, runId])
  const past: PastItem[] = []
  for (const step of steps) {
    while (messages[0] && messages[0].beforeStep <= step.step) past.push({ type: 'message', ...messages.shift()! })
    past.push({
      type: 'step',
      turn: step.turn,
      step: { ...step, response: step.state === 'done' ? step.response : undefined },
    })
  }
  return [...past, ...messages.map((message) => ({ type: 'message' as const, ...message }))]
}

const pastMessages = {
  name: 'past-messages',
  text: `select turn, body as text, ${imageColumn}, taken_step as "beforeStep" from messages
     where organization_id = $1 and run_id = $2 and taken_seq is not null order by taken_seq`,
}

const pastSteps = {
  name: 'past-steps',
  text: `select ${stepColumns} from steps where organization_id = $1 and run_id = $2 order by step`,
}
