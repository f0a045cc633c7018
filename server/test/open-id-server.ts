import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after } from 'node:test'
import { decodeJwt, exportJWK, generateKeyPair, importJWK, SignJWT, type JWK, type JWTPayload } from 'jose'
import OpenIdProvider from 'oidc-provider'

export type Person = { email?: string; email_verified?: boolean; name?: string }

/** A provider of OpenID Connect on loopback: a real one, which lies where it is told to. */
export type OpenIdServer = {
  issuer: string
  clientId: string
  clientSecret: string
  /** Who can sign in, by subject; anybody may change it. */
  people: Record<string, Person>
  /** What it says in its ID tokens instead, and with which key it signs them. */
  lie: ((claims: JWTPayload) => JWTPayload) | null
  signsWith: 'its key' | 'another key'
  /** `failing` answers 503, `gone` hangs up. */
  state: 'here' | 'failing' | 'gone'
  /** Says where its clients' browsers may come back to; it answers nothing before. */
  register: (returnUrl: string) => void
}

/** Listens until the tests end. */
export async function openIdServer(): Promise<OpenIdServer> {
  const [own, another] = [await makeKey(), await makeKey()]
  let answer: ReturnType<OpenIdProvider['callback']> | undefined
  const server = createServer((request, response) => {
    if (opened.state === 'gone') return request.socket.destroy()
    if (opened.state === 'failing' || !answer) return response.writeHead(503).end()
    void answer(request, response)
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  after(() => server.close().closeAllConnections())
  const opened: OpenIdServer = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clientId: 'runwright',
    clientSecret: 'the secret of the client that nobody may print',
    people: {},
    lie: null,
    signsWith: 'its key',
    state: 'here',
    register: (returnUrl) => {
      const provider = makeProvider(opened, { returnUrl, key: own })
      provider.use(async (context, next) => {
        await next()
        const body = context.body as { id_token?: string } | undefined
        if (context.path !== '/token' || !body?.id_token) return
        const claims = decodeJwt(body.id_token)
        body.id_token = await sign(opened.lie?.(claims) ?? claims, opened.signsWith === 'its key' ? own : another)
      })
      answer = provider.callback()
    },
  }
  return opened
}

async function makeKey(): Promise<JWK> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  return { ...(await exportJWK(privateKey)), kid: 'the-key', alg: 'RS256', use: 'sig' }
}

async function sign(claims: JWTPayload, key: JWK): Promise<string> {
  return new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'the-key' }).sign(await importJWK(key, 'RS256'))
}

function makeProvider(
  { issuer, clientId, clientSecret, people }: OpenIdServer,
  { returnUrl, key }: { returnUrl: string; key: JWK },
): OpenIdProvider {
  return new OpenIdProvider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [returnUrl] }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    cookies: { keys: ['of the tests'] },
    findAccount: (_: unknown, sub: string) => ({ accountId: sub, claims: () => ({ sub, ...people[sub] }) }),
    jwks: { keys: [key] },
    pkce: { required: () => true },
    ttl: { AccessToken: 600, AuthorizationCode: 60, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
  })
}
