// The control: pg-boss as it comes, in a process of its own. Told the database and how many jobs it works at once. Each
// line on stdin is an order `{jobs, clients}`: so many are sent, by so many at once, and worked at; says how many were
// completed a second.
import { createInterface } from 'node:readline'
import { PgBoss } from 'pg-boss'

const [, , connectionString, slots] = process.argv
const queue = 'no-op'
const boss = new PgBoss({ connectionString, max: 20, useListenNotify: true })
boss.on('error', (error) => process.stderr.write(`${error.message}\n`))
await boss.start()
await boss.createQueue(queue, { notify: true })
await boss.work(
  queue,
  { localConcurrency: Number(slots), pollingIntervalSeconds: 0.5, notifyPollingIntervalSeconds: 0.5 },
  async () => {},
)

async function completeJobs({ jobs, clients }) {
  await boss.deleteAllJobs(queue)
  const begun = performance.now()
  let sent = 0
  const send = async () => {
    while (sent++ < jobs) await boss.send(queue, { prompt: 'Count' })
  }
  await Promise.all(Array.from({ length: clients }, send))
  while ((await completed()) < jobs) await new Promise((resolve) => setTimeout(resolve, 5))
  return { perSecond: (jobs / (performance.now() - begun)) * 1000 }
}

async function completed() {
  const { rows } = await boss
    .getDb()
    .executeSql(`select count(*)::int as n from pgboss.job where name = $1 and state = 'completed'`, [queue])
  return rows[0].n
}

process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await completeJobs(JSON.parse(line)))}\n`)
}
await boss.stop({ graceful: false })
