import type { Entry } from '#base/entry.ts'
import type { Mask } from '#base/redaction/redactor.ts'
import { maybeOne, rows, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { appendLog, logLines } from '#domain/runs/logs/append-log.ts'
import { LeaseLost, type Holder } from '#domain/runs/holder.ts'
import type { RunTask } from '#domain/runs/run-task.ts'
import { webUrl } from './web-url.ts'

export type RecordLinks = { holder: Holder; publicUrl: string; mask: Mask }

/**
 * Writes the AGENT_RUN_LINK entries that a run's log lacks: to its parent, and to each of its children. Only who holds a
 * run writes its log, so a parent learns of a child as its turn begins or ends. Throws `LeaseLost`.
 */
export async function recordLinks(db: Db, { holder, publicUrl, mask }: RecordLinks): Promise<void> {
  const { organizationId, runId, turn, leaseId } = holder
  const missing = await maybeOne(db, missingLinks, [organizationId, runId])
  if (!missing) return
  await inTransaction(db, async (tx) => {
    const parents = await rows<Linked>(
      tx,
      `update runs set names_parent = true where organization_id = $1 and id = $2 and parent_run_id is not null and not names_parent
       returning parent_run_id as id, task`,
      [organizationId, runId],
    )
    const children = await rows<Linked>(
      tx,
      `update runs set named_by_parent = true where organization_id = $1 and parent_run_id = $2 and not named_by_parent returning id, task`,
      [organizationId, runId],
    )
    const link = (id: number, relation: string): Entry => ({
      messageType: 'AGENT_RUN_LINK',
      observation: { agent_run_id: id, relation, web_url: webUrl(publicUrl, { organizationId, runId: id }) },
    })
    const entries = [
      ...parents.map(({ id, task }) => link(id, relationBy(task) ?? 'parent')),
      ...children.sort((one, other) => one.id - other.id).map(({ id, task }) => link(id, relationBy(task) ?? 'child')),
    ]
    const lines = logLines(entries, { turn, mask })
    if ((await appendLog(tx, { organizationId, runId, leaseId, lines })) === undefined) throw new LeaseLost(runId)
  })
}

/** A run that explains another's logs is linked as such from both sides. */
function relationBy(task: RunTask | null): string | null {
  return task?.kind === 'analyze_logs' ? 'log_analysis' : null
}

/** `task`: of whichever of both is the child. */
type Linked = { id: number; task: RunTask | null }

const missingLinks = {
  name: 'missing-links',
  text: `select from runs where organization_id = $1
       and ((id = $2 and parent_run_id is not null and not names_parent) or (parent_run_id = $2 and not named_by_parent)) limit 1`,
}
