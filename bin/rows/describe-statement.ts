import type { Client, Connection, FieldDef, Submittable } from 'pg'

/** `source`: the table and the number of the column there, where it is one as it is stored. */
export type Column = { name: string; typeId: number; source: string }

/**
 * The columns that a statement answers, as PostgreSQL tells of them without running it. Throws what is wrong with it.
 * Parsed and described are one message each of the protocol that `pg` speaks; see its `Query`.
 */
export function describeStatement(client: Client, text: string): Promise<Column[]> {
  return new Promise((resolve, reject) => {
    let columns: Column[] = []
    const description = {
      submit(connection: Connection) {
        connection.parse({ name: '', text, types: [] }, true)
        connection.describe({ type: 'S', name: '' }, true)
        connection.sync()
      },
      handleRowDescription({ fields }: { fields: FieldDef[] }) {
        columns = fields.map(({ name, dataTypeID, tableID, columnID }) => {
          return { name, typeId: dataTypeID, source: `${tableID}/${columnID}` }
        })
      },
      handleReadyForQuery: () => resolve(columns),
      handleError: reject,
    }
    client.query(description as Submittable)
  })
}
