import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startNameServer } from '#test/name-server.ts'
import { testApp } from '#test/test-app.ts'
import { until } from '#test/test-sandboxes.ts'

const server = await startNameServer((name) => (name.startsWith('slow') ? 'silent' : ['127.0.0.1']))
const { ask, member } = await testApp({ env: { RUNWRIGHT_NAME_SERVERS: server.address } })

test('imports from slow names keep nobody else from importing', async () => {
  const [attacker, victim] = [await member(), await member()]
  let answered = 0
  const importing = (who: typeof attacker, host: string) =>
    ask(`${who.path}/repos`, { method: 'POST', token: who.token, body: { import_from: `https://${host}/x.git` } })
  const slow = Array.from({ length: 24 }, async (_, n) => {
    const answer = await importing(attacker, `slow${n}.example`)
    answered++
    return answer
  })
  await until(() => server.asked.some((name) => name.startsWith('slow')), 'slow names are asked for')
  for (const host of ['quick.example', 'localhost']) {
    const { body } = await importing(victim, host)
    assert.match(String(body.message), /is not a host of the public internet/)
  }
  assert.equal(answered, 0)
  for (const { status, body } of await Promise.all(slow)) {
    assert.equal(status, 400)
    assert.match(String(body.message), /was not found/)
  }
})
