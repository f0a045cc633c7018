import { limits } from '#base/limits.ts'
import { shortenWithin } from '#base/text/shorten.ts'
import type { Mask } from '#base/redaction/redactor.ts'
import { maybeOne, one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { cleanJson } from '#domain/runs/logs/entry-text.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'
import { questionColumns, type Question } from './question.ts'

export type CreateQuestion = Pick<Question, 'kind' | 'text' | 'options'> & {
  holder: Holder
  /** The key of the step that asks. */
  key: string
  mask: Mask
}

/**
 * Puts a question to people, once for its key, and answers it as it stands. The run waits from the moment on at which
 * its worker releases it; an answer that comes before is kept. Throws `LeaseLost`.
 */
export async function createQuestion(db: Db, request: CreateQuestion): Promise<Question> {
  const { holder, key, kind, mask } = request
  const { organizationId, runId, turn, leaseId } = holder
  return inTransaction(db, async (tx) => {
    const held = await maybeOne(
      tx,
      `update run_heads set revision = revision + 1, updated_at = now()
       where organization_id = $1 and run_id = $2 and lease_id = $3 and wanted is distinct from 'cancel' returning 1`,
      [organizationId, runId, leaseId],
    )
    if (!held) throw new LeaseLost(runId)
    const known = await maybeOne<Question>(
      tx,
      `select ${questionColumns} from questions where organization_id = $1 and run_id = $2 and key = $3`,
      [organizationId, runId, key],
    )
    if (known) return known
    const [text = '', ...options] = [request.text, ...request.options.slice(0, limits.questionOptionsMax)].map(
      (words) => shortenWithin(cleanJson(words, mask) as string, limits.questionCharactersMax),
    )
    return one<Question>(
      tx,
      `insert into questions (organization_id, run_id, n, key, turn, kind, text, options)
       select $1, $2, coalesce(max(n), 0) + 1, $3, $4, $5, $6, $7 from questions where organization_id = $1 and run_id = $2
       returning ${questionColumns}`,
      [organizationId, runId, key, turn, kind, text, JSON.stringify(options)],
    )
  })
}
