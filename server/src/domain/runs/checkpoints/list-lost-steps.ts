import type { JsonObject } from '#base/json.ts'
import { rows, type Db } from '#db/pool.ts'
import type { RunIds } from '#domain/runs/run.ts'
import { shortenWithin } from '#base/text/shorten.ts'

/** A step whose file changes are lost, with a short description. */
export type LostStep = { key: string; words: string }

export type ListLostSteps = RunIds & {
  /** The last step that is not lost; 0 if all are. */
  after: number
  /** Steps done by then are not lost either. */
  since?: Date | undefined
  /** Earlier turns are left out. */
  fromTurn?: number
}

/** Tools that never change a file. */
const readers = ['finish', 'list', 'plan', 'read', 'search', 'session', 'sleep']
const wordsCharactersMax = 200

/**
 * The later steps that may have changed files, in the order in which they were done. Step numbers do not give that order: a
 * step that a lost worker had begun is repeated under its old number.
 */
export async function listLostSteps(
  db: Db,
  { organizationId, runId, after, since, fromTurn = 1 }: ListLostSteps,
): Promise<LostStep[]> {
  const steps = await rows<{ key: string; name: string; request: JsonObject }>(
    db,
    `select key, name, request from steps, coalesce(request->>'name', request->>'tool', 'step') as name
     where organization_id = $1 and run_id = $2 and turn >= $4 and kind = 'tool' and state = 'done' and name <> all($5)
       and finished_at > coalesce(
         (select finished_at from steps where organization_id = $1 and run_id = $2 and step = $3), '-infinity')
       and finished_at > coalesce($6::timestamptz, '-infinity')
     order by finished_at`,
    [organizationId, runId, after, fromTurn, readers, since ?? null],
  )
  return steps.map(({ key, name, request }) => ({ key, words: describe(name, request) }))
}

function describe(name: string, request: JsonObject): string {
  const input = (request['input'] ?? request) as JsonObject
  const what = input['command'] ?? input['path'] ?? ''
  // On one line, so that no part of it looks like another step or like our own words.
  const words = `${name}: ${typeof what === 'string' ? what : JSON.stringify(what)}`.replaceAll(/\s+/g, ' ')
  return shortenWithin(words, wordsCharactersMax)
}
