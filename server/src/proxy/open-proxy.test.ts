import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limits } from '#base/limits.ts'
import { openSocket, sendRaw } from '#test/open-socket.ts'
import { testProxies } from '#test/test-proxy.ts'
import { sayIn, testLimits, testSandboxes, until } from '#test/test-sandboxes.ts'

const { provider } = testSandboxes()
const { openSandboxProxy } = await testProxies()

test('programs inside reach our own services, which know the run without being told', async () => {
  const { proxy, holder } = await openSandboxProxy({
    services: {
      '/whose/': async (request, response, visitor) => {
        response.end(`${request.method} ${request.url} of run ${visitor.holder.runId} ${visitor.token === proxy.token}`)
      },
    },
  })
  await using sandbox = await provider.create({ id: 'own-services', limits: testLimits, network: proxy })
  assert.equal(sandbox.proxyUrl, 'http://127.0.0.1:3128')
  const text = await sayIn(sandbox, `curl -sS ${sandbox.proxyUrl}/whose/it?is`)
  assert.equal(text, `GET /whose/it?is of run ${holder.runId} true`)
  assert.equal(await sayIn(sandbox, `curl -sS ${sandbox.proxyUrl}/elsewhere`), 'There is nothing here.')
})

test('two proxies have two tokens, and a service that fails says no more than that', async () => {
  const services = {
    '/fails/': async () => {
      throw new Error('the words of a secret')
    },
  }
  const [one, other] = [await openSandboxProxy({ services }), await openSandboxProxy({ services })]
  assert.notEqual(one.proxy.token, other.proxy.token)
  const text = await sendRaw(one.url, 'GET /fails/ HTTP/1.1\r\nHost: x\r\n\r\n')
  assert.match(text, /^HTTP\/1.1 500 [^]*Something went wrong on our side/)
  assert.doesNotMatch(text, /secret/)
})

test('a proxy that is closed breaks off what goes through it', async () => {
  const { proxy, url } = await openSandboxProxy({
    services: { '/waits/': async (_request, response) => void response.write('…') },
  })
  const waiting = openSocket(url, 'GET /waits/ HTTP/1.1\r\nHost: x\r\n\r\n')
  await waiting.until(/200 OK/)
  await proxy[Symbol.asyncDispose]()
  await waiting.closed
})

test('a service of ours may be silent for longer than others', async () => {
  const silent = Promise.withResolvers<void>()
  const { url } = await openSandboxProxy({
    patience: { dialMs: 5_000, helloMs: 50, idleMs: 50 },
    services: { '/thinks/': async (_request, response) => void silent.promise.then(() => response.end('thought')) },
  })
  const thinking = openSocket(url, 'GET /thinks/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  // One that says nothing is cut off meanwhile, more than once.
  for (let n = 0; n < 3; n++) assert.equal(await sendRaw(url, ''), '')
  silent.resolve()
  assert.match(await thinking.closed, /thought/)
})

test('so many connections go through a proxy at once, and no more', async () => {
  const { url } = await openSandboxProxy({
    services: { '/waits/': async (_request, response) => void response.write('…') },
  })
  const ask = 'GET /waits/ HTTP/1.1\r\nHost: x\r\n\r\n'
  const waiting = Array.from({ length: limits.proxyConnectionsMax }, () => openSocket(url, ask))
  await Promise.all(waiting.map(({ until }) => until(/200 OK/)))
  assert.match(await sendRaw(url, ask), /^HTTP\/1.1 503 Too many connections/)
  waiting[0]!.socket.destroy()
  await until(async () => {
    const next = openSocket(url, ask)
    const text = await next.until(/ 200 | 503 /).catch(() => '')
    next.socket.destroy()
    return text.includes(' 200 ')
  }, 'there is room again')
  for (const { socket } of waiting) socket.destroy()
})

test('headers that are too large are refused', async () => {
  const { url } = await openSandboxProxy({})
  const text = await sendRaw(url, `GET /a HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(limits.headerBytesMax)}\r\n\r\n`)
  assert.match(text, /^HTTP\/1.1 431 /)
})
