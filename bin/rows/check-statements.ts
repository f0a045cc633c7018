import type { Client } from 'pg'
import { compareRow } from './compare-row.ts'
import { describeStatement } from './describe-statement.ts'
import type { FoundStatement } from './find-statements.ts'

/** What PostgreSQL refuses, and rows whose type says something else than their columns: a sentence each, with its place. */
export async function checkStatements(client: Client, found: FoundStatement[]): Promise<string[]> {
  const faults: string[] = []
  for (const { place, texts, fields } of found) {
    const said = new Set<string>()
    for (const text of texts) for (const fault of await check(client, text, fields)) said.add(`${place} ${fault}`)
    faults.push(...said)
  }
  return faults
}

async function check(client: Client, text: string, fields: FoundStatement['fields']): Promise<string[]> {
  try {
    return compareRow(await describeStatement(client, text), fields ?? new Map())
  } catch (error) {
    return [`is refused: ${error instanceof Error ? error.message : String(error)}\n${text}`]
  }
}
