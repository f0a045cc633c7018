// The control: as little as a worker can be. It listens, and claims the oldest queued row when it is told of one. Told the
// database; says `ready`, and the number of each row that it has claimed.
import pg from 'pg'

const claim = {
  name: 'claim',
  text: `update bare_jobs set status = 'claimed', claimed_at = now()
    where id = (select id from bare_jobs where status = 'queued' order by id limit 1 for update skip locked) returning id`,
}
const client = new pg.Client({ connectionString: process.argv[2]! })
await client.connect()
let isClaiming = false
let isWoken = false

async function claimAll(): Promise<void> {
  isWoken = true
  if (isClaiming) return
  isClaiming = true
  while (isWoken) {
    isWoken = false
    const { rows } = await client.query<{ id: string }>(claim)
    if (rows[0]) process.stdout.write(`${rows[0].id}\n`)
  }
  isClaiming = false
}

client.on('notification', () => void claimAll())
await client.query('listen bare_jobs')
process.stdout.write('ready\n')
