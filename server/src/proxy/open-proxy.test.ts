import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openLogger } from '#base/logger.ts'
import { sayIn, testLimits, testSandboxes } from '#test/test-sandboxes.ts'
import { openProxy } from './open-proxy.ts'

const { provider } = testSandboxes()
const holder = { organizationId: 1, runId: 2, turn: 1, leaseId: 'a lease' }
const logger = openLogger({ level: 'silent' })

test('programs inside reach our own services, which know the run without being told', async () => {
  const open = openProxy(
    { logger },
    {
      services: {
        '/whose/': async (request, response, visitor) => {
          response.end(`${request.method} ${request.url} of run ${visitor.holder.runId}`)
        },
      },
    },
  )
  await using door = open(holder)
  await using sandbox = await provider.create({ id: 'own-services', limits: testLimits, network: door })
  assert.equal(sandbox.proxyUrl, 'http://127.0.0.1:3128')
  assert.equal(await sayIn(sandbox, `curl -sS ${sandbox.proxyUrl}/whose/it?is`), 'GET /whose/it?is of run 2')
  assert.equal(await sayIn(sandbox, `curl -sS ${sandbox.proxyUrl}/elsewhere`), 'There is nothing here.')
})
