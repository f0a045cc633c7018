// The control: bare Fastify with the same driver, without tokens, limits or checks. Told the database and a file whose
// bytes `/memory` sends; says its port.
import { readFileSync } from 'node:fs'
import fastify from 'fastify'
import { openPool } from '../../server/src/db/pool.ts'

type Place = { Params: { org: number; run: number }; Querystring: { skip: string } }
type Row = { seq: number; created_at: Date; message_type: string; body: Record<string, unknown> }

const [, , databaseUrl, file] = process.argv as [string, string, string, string]
const pool = openPool(databaseUrl, { connectionsMax: 20, name: 'bare' })
const bytes = readFileSync(file)
const server = fastify()

/** One read by key. */
server.get<Place>('/run/:org/:run', async ({ params: { org, run } }) => {
  const { rows } = await pool.query({
    name: 'run',
    text: 'select id, organization_id, prompt, title, agent_type, created_at from runs where organization_id = $1 and id = $2',
    values: [org, run],
  })
  return rows[0] as object
})

/** Rows to objects to JSON. */
server.get<Place>('/page/:org/:run', async ({ params: { org, run }, query: { skip } }) => {
  const from = Number(skip)
  const { rows } = await pool.query<Row>({
    name: 'page',
    text: 'select seq, created_at, message_type, body from log_entries where organization_id = $1 and run_id = $2 and seq > $3 and seq <= $4 order by seq',
    values: [org, run, from, from + 100],
  })
  const logs = rows.map(({ body, ...row }) => ({ agent_run_id: run, ...row, ...body }))
  return { id: run, organization_id: org, logs, page: from / 100 + 1, size: 100 }
})

/** Bytes from memory. */
server.get('/memory', async (_, reply) => reply.header('content-type', 'application/json; charset=utf-8').send(bytes))

process.stdout.write(`${await server.listen({ port: 0, host: '127.0.0.1' })}\n`)
