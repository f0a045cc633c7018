import { maybeOne, type Db } from '#db/pool.ts'

export type NextMessage = { n: number; isAfterStop: boolean }

export type FindNextMessage = {
  organizationId: number
  runId: number
  turn: number
  /** Only one that was sent to go on after this turn had been told to stop. */
  isAfterStop: boolean
}

/** The message that begins the turn after this one. Those that came after the turn was told to stop go first. */
export function findNextMessage(
  tx: Db,
  { organizationId, runId, turn, isAfterStop }: FindNextMessage,
): Promise<NextMessage | undefined> {
  return maybeOne<NextMessage>(tx, nextMessage, [organizationId, runId, turn, isAfterStop])
}

const nextMessage = {
  name: 'next-message',
  text: `select n, coalesce(turn > $3, false) as "isAfterStop" from messages where organization_id = $1 and run_id = $2 and taken_seq is null
    and (turn > $3 or (turn is null and not $4))
    order by turn > $3 desc nulls last, n limit 1`,
}
