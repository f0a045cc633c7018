import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({ databaseUrl: db.url })
const runs = `/v1/organizations/${service.organizationId}/agent/run`

test('a run that only thinks gets no sandbox and no repository; its follow-up that works gets both', async () => {
  const scripts = [
    [{ think: 'Nothing to do.' }, { answer: 'Thought.' }],
    [{ write: { path: 'a.txt', content: 'one\n' } }, { answer: 'Wrote.' }],
    [{ answer: 'Thought again.' }],
  ]
  const body = { prompt: 'Think first', agent_type: 'scripted', metadata: { scripts } }
  const { id } = await service.call<{ id: number }>('POST', runs, body)
  const repository = path.join(service.dataDir, 'git', String(service.organizationId), `run-${id}.git`)
  const diff = async () => (await service.ask('GET', `${runs}/${id}/diff`)).text()
  const resume = () => service.call('POST', `${runs}/resume`, { agent_run_id: id, prompt: 'Go on' })

  assert.partialDeepStrictEqual(await service.untilEnded(id), { status: 'completed', result: 'Thought.', branch: null })
  assert.equal(existsSync(repository), false)
  assert.equal(await diff(), '')
  assert.deepEqual(
    (await service.log(id)).map(({ message_type }) => message_type),
    ['USER_MESSAGE', 'PLAN_EVALUATION', 'FINAL_ANSWER'],
  )

  await resume()
  assert.partialDeepStrictEqual(await service.untilEnded(id), { status: 'completed', result: 'Wrote.' })
  const changed = await diff()
  assert.match(changed, /^\+one$/m)

  await resume()
  assert.partialDeepStrictEqual(await service.untilEnded(id), { status: 'completed', result: 'Thought again.' })
  assert.equal(await diff(), changed)
})

test('a script that cannot be read fails its run, with no sandbox made for it', async () => {
  const body = { prompt: 'Count', agent_type: 'scripted', metadata: { script: [{ dance: true }] } }
  const { id } = await service.call<{ id: number }>('POST', runs, body)
  assert.partialDeepStrictEqual(await service.untilEnded(id), { status: 'failed', error: { code: 'engine_error' } })
})
