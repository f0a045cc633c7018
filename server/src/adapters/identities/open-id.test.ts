import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { Secret } from '#base/secrets/secret.ts'
import { IdentityFault } from './identity-provider.ts'
import { openOpenId } from './open-id.ts'

/** A provider on this machine that says this of itself besides. */
async function openProvider(besides: Record<string, string>) {
  const server = createServer((_, response) => {
    const metadata = {
      issuer,
      authorization_endpoint: `${issuer}/begin`,
      token_endpoint: `${issuer}/token`,
      ...besides,
    }
    response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata))
  }).listen(0, '127.0.0.1')
  after(() => server.close().closeAllConnections())
  await new Promise((resolve) => server.once('listening', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return openOpenId({ issuer, clientId: 'runwright', clientSecret: new Secret('hunter2') }, systemClock)
}

const isRefused = (error: unknown) => error instanceof IdentityFault && /begins with https:\/\//.test(error.message)

test('a provider leads people and our secret nowhere over an open line', async () => {
  const plain = await (
    await openProvider({ service_documentation: 'http://docs.example' })
  ).begin('http://localhost/back')
  assert.match(plain.url, /^http:\/\/127\.0\.0\.1:\d+\/begin\?/)
  const other = 'http://accounts.example.com/here'
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'])
    await assert.rejects((await openProvider({ [name]: other })).begin('http://localhost/back'), isRefused, name)
})
