import type { SecretBox } from '#base/secrets/secret-box.ts'
import { one, type Db } from '#db/pool.ts'
import { inTransaction } from '#db/transaction.ts'
import { takingStorage } from '#domain/accounts/storage/storage.ts'
import { takeDataKey } from '#domain/repos/secrets/data-key.ts'
import { createRun, titleOf, type CreateRun } from '#domain/runs/runs/create-run.ts'
import { judgeFilesPlace, type Comparison, type Judge, type JudgeFile } from './comparison.ts'
import { getComparison } from './get-comparison.ts'

export type CreateComparison = {
  organizationId: number
  userId: number
  repoId: number | null
  title: string | null
  prompt: string
  baseBranch: string | null
  /** Null: the first contestant that begins finds it. */
  baseCommit: string | null
  judges: readonly Judge[]
  judgeFiles: readonly JudgeFile[]
  contestants: readonly { name: string; run: CreateRun }[]
}

/** Starts the run of each contestant, or none. Throws `storage_full`, and what `createRun` throws. */
export async function createComparison(db: Db, box: SecretBox, request: CreateComparison): Promise<Comparison> {
  const { organizationId, contestants } = request
  return inTransaction(db, async (tx) => {
    const comparisonId = await insert(tx, request)
    await sealFiles(tx, box, { ...request, comparisonId })
    const runIds: number[] = []
    for (const { run } of contestants) runIds.push((await createRun(tx, { ...run, createPullRequest: false })).id)
    await tx.query(
      `insert into contestants (organization_id, comparison_id, n, run_id, name)
       select $1, $2, n, run_id, name from unnest($3::bigint[], $4::text[]) with ordinality as t (run_id, name, n)`,
      [organizationId, comparisonId, runIds, contestants.map(({ name }) => name)],
    )
    return getComparison(tx, { organizationId, comparisonId })
  })
}

async function insert(tx: Db, request: CreateComparison): Promise<number> {
  const { organizationId, userId, repoId, title, prompt, baseBranch, baseCommit, judges, judgeFiles } = request
  const { id } = await one<{ id: number }>(
    tx,
    `insert into comparisons (organization_id, user_id, repo_id, title, prompt, base_branch, base_commit, judges, judge_files)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning id`,
    [
      organizationId,
      userId,
      repoId,
      title ?? titleOf(prompt),
      prompt,
      baseBranch,
      baseCommit,
      JSON.stringify(judges),
      JSON.stringify(judgeFiles.map(({ path, bytes }) => ({ path, bytes: bytes.length }))),
    ],
  )
  return id
}

async function sealFiles(
  tx: Db,
  box: SecretBox,
  { organizationId, comparisonId, judgeFiles }: CreateComparison & { comparisonId: number },
): Promise<void> {
  if (judgeFiles.length === 0) return
  const dataKey = await takeDataKey(tx, box, { organizationId })
  const contents = judgeFiles.map(({ path, bytes }) => ({ path, content: Buffer.from(bytes).toString('base64') }))
  const sealed = dataKey.seal(Buffer.from(JSON.stringify(contents)), judgeFilesPlace({ organizationId, comparisonId }))
  const text = 'update comparisons set sealed = $3 where organization_id = $1 and id = $2'
  await takingStorage(() => tx.query(text, [organizationId, comparisonId, sealed]))
}
