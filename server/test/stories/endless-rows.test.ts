import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '#test/service.ts'
import { testDb } from '#test/test-db.ts'

const service = await startService({ databaseUrl: (await testDb()).url })
/** Reading such a row by pairs of its characters took half a minute, and everybody waited for it. */
const row = String.raw`head -c 150000 /dev/zero | tr '\0'`
/** Far more than anything else on a busy machine takes. */
const patienceMs = 10_000

test('a command that prints nothing but carriage returns, or beginnings of colours, ends right and keeps nobody waiting', async () => {
  const script = [
    { shell: String.raw`${row} '\r'; echo x` },
    { shell: String.raw`${row} '\033'; echo x` },
    { shell: String.raw`${row} '[' | sed 's/\[/\x1b]/g'; echo x` },
    { answer: 'Printed.' },
  ]
  const { id } = await service.play(script, { prompt: 'Print' })
  const ended = service.untilEnded(id)
  const waiting = new AbortController()
  void ended.finally(() => waiting.abort())
  let slowestMs = 0
  while (!waiting.signal.aborted) {
    const begun = performance.now()
    await service.ask('GET', '/v1/users/me')
    slowestMs = Math.max(slowestMs, performance.now() - begun)
    await sleep(50)
  }
  assert.ok(slowestMs < patienceMs, `a read took ${slowestMs.toFixed()} ms`)
  assert.equal((await ended).status, 'completed')
})
