import { rows, type Db } from '#db/pool.ts'
import { subjectText } from '#domain/hosts/mention.ts'
import type { StatusComment } from '#domain/hosts/status-comments/status-comment.ts'
import type { AskedThread } from './asked-thread.ts'

/** What the agent says of one comment; `comment` is the comment's label. */
export type SaidReply = { comment: string; text: string; resolved: boolean }

/** A thread that is to be answered, and what the turn that dealt with it has to say. */
export type DueThread = AskedThread & {
  id: number
  /** The turn that has an answer since the agent read it: the same one, unless that has failed. */
  turn: number
  isOfOwnTurn: boolean
  /** How many other comments the same message held. */
  othersCount: number
  answer: string | null
  replies: SaidReply[] | null
}

/** Of a run that has completed its last turn: the threads that it has read of, and nobody has answered yet. */
export async function listDueThreads(
  db: Db,
  { organizationId, runId, repoId, on }: Pick<StatusComment, 'organizationId' | 'runId' | 'repoId' | 'on'>,
): Promise<DueThread[]> {
  return rows<DueThread>(
    db,
    `select t.id, t.comment_id, t.thread_id, t.lines, a.turn, a.turn is not distinct from m.turn as "isOfOwnTurn", a.response->>'answer' as answer,
       a.response->'replies' as replies,
       (select count(*) from thread_replies o where o.organization_id = t.organization_id and o.run_id = t.run_id
          and o.message = t.message and o.id <> t.id) as "othersCount"
     from thread_replies t
       join messages m on m.organization_id = t.organization_id and m.run_id = t.run_id and m.n = t.message and m.taken_seq is not null
       cross join lateral (
         -- A turn that has failed leaves the comment to the next one.
         select s.turn, s.response from steps s where s.organization_id = t.organization_id and s.run_id = t.run_id
           and s.turn >= m.turn and s.key = 't' || s.turn || '/answer' and s.state = 'done' order by s.turn limit 1) a
     where t.organization_id = $1 and t.run_id = $2 and t.repo_id = $3 and t.subject = $4 and t.answered_at is null
     order by t.id`,
    [organizationId, runId, repoId, subjectText(on)],
  )
}
