import type { Client } from 'pg'
import { compareRow } from './compare-row.ts'
import { describeStatement } from './describe-statement.ts'
import type { FoundStatement } from './find-statements.ts'

/** What PostgreSQL refuses, and rows whose type says something else than their columns: a sentence each, with its place. */
export async function checkStatements(client: Client, found: FoundStatement[]): Promise<string[]> {
  const nullable = await listNullable(client)
  const faults: string[] = []
  for (const { place, texts, fields = new Map() } of found) {
    const sentences = new Set<string>()
    for (const text of texts) {
      const columns = await describeStatement(client, text).catch((error: Error) => error)
      if (columns instanceof Error) sentences.add(`is refused: ${columns.message}\n${text}`)
      else for (const fault of compareRow(columns, fields, nullable)) sentences.add(fault)
    }
    faults.push(...Array.from(sentences, (fault) => `${place} ${fault}`))
  }
  return faults
}

/** Of our tables: what PostgreSQL says of its own is not so. */
async function listNullable(client: Client): Promise<Set<string>> {
  const { rows } = await client.query<{ source: string }>(
    `select a.attrelid || '/' || a.attnum as source from pg_attribute a join pg_class c on c.oid = a.attrelid
     where a.attnum > 0 and not a.attnotnull and c.relnamespace = 'public'::regnamespace`,
  )
  return new Set(rows.map(({ source }) => source))
}
