import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { after, test } from 'node:test'
import { startService } from '#test/service.ts'
import { listen } from '#test/test-proxy.ts'
import { testDb } from '#test/test-db.ts'

const db = await testDb()
const service = await startService({
  databaseUrl: db.url,
  role: 'api',
  env: { RUNWRIGHT_PRIVATE_HOSTS: 'localhost' },
})
const at = `/v1/organizations/${service.organizationId}`

type Page = { items: Record<string, unknown>[]; total: number; asked: number; refused: number }
const get = (route: string) => service.call<Page>('GET', at + route)

test('a run reaches what is allowed, also after its worker was killed in the middle, and people read what it asked', async () => {
  const server = createServer((_request, response) => void server.emit('asked', response))
  const port = await listen(server)
  after(() => {
    server.closeAllConnections()
    server.close()
  })
  await service.call('PUT', `${at}/egress`, { allow: [`localhost:${port}`] })
  const metadata = {
    script: [
      { shell: `curl -sS --noproxy "" http://localhost:${port}/held` },
      { shell: `curl -sS --noproxy "" http://localhost:${service.url.split(':').at(-1)}/healthz` },
      { answer: 'Done.' },
    ],
  }
  const body = { prompt: 'Reach out', agent_type: 'scripted', metadata }
  const dry = await service.call<{ configuration: { egress: string[] } }>('POST', `${at}/agent/run`, {
    ...body,
    dry_run: true,
  })
  assert.deepEqual(dry.configuration.egress, [`localhost:${port}`])

  const first = await service.startWorker()
  const held = once(server, 'asked') as Promise<[ServerResponse]>
  const { id } = await service.call<{ id: number }>('POST', `${at}/agent/run`, body)
  const [waiting] = await held
  const cut = once(waiting, 'close')
  const again = once(server, 'asked') as Promise<[ServerResponse]>
  first.kill('SIGKILL')
  await cut
  await service.startWorker()
  const [response] = await again
  response.end('REACHED')
  assert.equal((await service.untilEnded(id)).status, 'completed', service.said())

  const output = (await service.log(id)).flatMap(({ tool_output }) =>
    tool_output ? [JSON.stringify(tool_output)] : [],
  )
  assert.ok(output.some((text) => text.includes('REACHED')))
  assert.ok(output.some((text) => text.includes('port_not_allowed')))
  const asked = await get(`/agent/run/${id}/egress`)
  assert.deepEqual([asked.total, asked.asked, asked.refused], [3, 3, 1])
  assert.partialDeepStrictEqual(asked.items, [
    // How much it had carried, only the worker that was killed knew.
    { n: 1, name: 'localhost', port, allowed: true, reason: null, sent_bytes: null, received_bytes: null },
    { n: 2, name: 'localhost', port, allowed: true, reason: null },
    { n: 3, allowed: false, reason: 'port_not_allowed', sent_bytes: null },
  ])
  const sandboxes = await get(`/sandboxes?agent_run_id=${id}`)
  const ofEach = await Promise.all(sandboxes.items.map((sandbox) => get(`/sandboxes/${String(sandbox['id'])}/egress`)))
  assert.deepEqual(
    ofEach.map(({ items }) => items.map(({ n }) => n)),
    [[2, 3], [1]],
  )
})
