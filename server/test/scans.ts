import { one, openPool, type Db } from '#db/pool.ts'

type Node = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Node[]
}
export type Scans = { types: Set<string>; read: number }

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** Answers, for each table, how an `explain` of a statement scanned it and how many rows it read; nothing stays of what the statement wrote. */
export async function explainScans(db: Db, explain: string): Promise<(table: string) => Scans> {
  await db.query('begin')
  const found = await one<{ 'QUERY PLAN': [{ Plan: Node }] }>(db, explain)
  await db.query('rollback')
  const nodes = nodesOf(found['QUERY PLAN'][0].Plan)
  return (table) => {
    const scans = nodes.filter((node) => node['Relation Name'] === table && node['Node Type'].endsWith(' Scan'))
    const read = (node: Node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    return {
      types: new Set(scans.map((node) => node['Node Type'])),
      read: scans.reduce((sum, node) => sum + read(node), 0),
    }
  }
}

/** Tells what a statement reads, by a plan that is made at the first look and kept until PostgreSQL makes another, as processes keep theirs. */
export async function openExplainer(url: string, statement: { types: string; text: string; values: string }) {
  const session = openPool(url, { connectionsMax: 1, statementMs: 60_000 })
  await session.query('set plan_cache_mode = force_generic_plan')
  await session.query(`prepare explained (${statement.types}) as ${statement.text}`)
  return {
    explain: () => explainScans(session, `explain (analyze, format json) execute explained (${statement.values})`),
    [Symbol.asyncDispose]: () => session.end(),
  }
}
