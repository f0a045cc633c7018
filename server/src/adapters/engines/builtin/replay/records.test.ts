import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { readRecord } from './read-record.ts'
import { replayRecord } from './replay-record.ts'

const root = path.resolve(import.meta.dirname, '../../../../../..')
const folder = path.join(root, 'server/test/records')
const files = globSync('*.jsonl.gz', { cwd: folder }).sort()
const read = (file: string) => readFileSync(path.join(folder, file))

test('there are records of runs of different shape', () => {
  const names = files.map((file) => path.basename(file, '.jsonl.gz'))
  assert.deepEqual(names, ['children', 'compaction', 'fix', 'parallel', 'plan', 'sessions'])
})

for (const file of files) {
  test(`today's agent does in ${file} what it did then`, async () => {
    const { steps, difference } = await replayRecord(await readRecord(read(file)))
    const renewal = 'If the change is wanted, record the runs anew: npm run generate:records'
    assert.equal(difference, null, `${String(difference)}\n\n${renewal}`)
    assert.ok(steps >= 5, String(steps))
  })

  test(`${file} names nothing of the machine that it was recorded on`, () => {
    const text = gunzipSync(read(file)).toString()
    for (const place of ['/dev/shm', '/tmp/', '/home/', '/root/', '/Users/', 'localhost', '127.0.0.1'])
      assert.ok(!text.includes(place), place)
  })
}

test('the shapes that the records are there for are in them', () => {
  const has = (name: string, pattern: RegExp) =>
    assert.match(gunzipSync(read(`${name}.jsonl.gz`)).toString(), pattern, name)
  has('children', /"kind":"tool".*"name":"read_runs"/)
  has('compaction', /"key":"t1\/compaction\/1".*"summary":\{/)
  has('fix', /"tool_name":"edit".*"diff":/)
  has('parallel', /"type":"reasoning"/)
  has('plan', /"kind":"ask".*"answer":"approve"/)
  has('sessions', /"name":"session".*"stop":true/)
})

test('the example of the web UI is one of them', () => {
  assert.deepEqual(readFileSync(path.join(root, 'web/public/example.record')), read('fix.jsonl.gz'))
})
