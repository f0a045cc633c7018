import * as openId from 'openid-client'
import { systemClock, type Clock } from '#base/clock.ts'
import type { OpenIdConfig } from '#base/config/config.ts'
import { limits } from '#base/limits.ts'
import { memoizeFor } from '#base/concurrency/memoize-for.ts'
import { IdentityFault, type IdentityFaultKind, type IdentityProvider } from './identity-provider.ts'

/** Any provider of OpenID Connect: authorization code, PKCE, state and nonce; its tokens are checked by its keys. */
export function openOpenId(config: Client, clock: Clock): IdentityProvider {
  // Found when it is needed: a provider that is away does not keep the service from starting.
  const discover = memoizeFor(limits.providerKeptMs, () => discoverProvider(config, clock))
  return {
    name: new URL(config.issuer).host,
    begin: (redirectUrl) =>
      report(
        async () => begin(await discover(), redirectUrl),
        () => 'unavailable',
      ),
    finish: (returnUrl, attempt) => report(async () => finish(await discover(), { returnUrl, attempt }), kindOf),
  }
}

type Client = Pick<OpenIdConfig, 'issuer' | 'clientId' | 'clientSecret'>

async function discoverProvider(
  { issuer, clientId, clientSecret }: Client,
  clock: Clock,
): Promise<openId.Configuration> {
  const address = new URL(issuer)
  const aheadMs = clock.now().getTime() - systemClock.now().getTime()
  const client = { client_secret: clientSecret.reveal(), [openId.clockSkew]: Math.round(aheadMs / 1_000) }
  const provider = await openId.discovery(address, clientId, client, undefined, {
    timeout: limits.providerAnswerSeconds,
    execute: [
      // Tokens come by TLS from the provider itself; checked besides, they hold even where somebody sits in between.
      openId.enableNonRepudiationChecks,
      ...(address.protocol === 'http:' ? [openId.allowInsecureRequests] : []),
    ],
  })
  checkLines(address, provider.serverMetadata())
  return provider
}

/** What a provider says of itself leads over encrypted lines alone; one of this machine may name itself besides. */
function checkLines({ origin }: URL, metadata: openId.ServerMetadata): void {
  for (const [name, value] of Object.entries(metadata)) {
    if (typeof value !== 'string' || !/_endpoint$|^jwks_uri$/.test(name)) continue
    const url = URL.parse(value)
    if (url?.protocol !== 'https:' && url?.origin !== origin)
      throw new IdentityFault('unavailable', `the provider's ${name} is no address that begins with https://`)
  }
}

async function begin(provider: openId.Configuration, redirectUrl: string): ReturnType<IdentityProvider['begin']> {
  const attempt = {
    state: openId.randomState(),
    nonce: openId.randomNonce(),
    verifier: openId.randomPKCECodeVerifier(),
  }
  const url = openId.buildAuthorizationUrl(provider, {
    redirect_uri: redirectUrl,
    scope: 'openid email profile',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: await openId.calculatePKCECodeChallenge(attempt.verifier),
    code_challenge_method: 'S256',
  })
  return { url: url.href, attempt }
}

type Finish = { returnUrl: URL; attempt: Parameters<IdentityProvider['finish']>[1] }

async function finish(
  provider: openId.Configuration,
  { returnUrl, attempt }: Finish,
): ReturnType<IdentityProvider['finish']> {
  const tokens = await openId.authorizationCodeGrant(provider, returnUrl, {
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    pkceCodeVerifier: attempt.verifier,
    idTokenExpected: true,
  })
  const vouched = tokens.claims()
  if (!vouched) throw new IdentityFault('refused', 'the provider sent no ID token')
  // Some say in the token itself who somebody is, others where one asks for it.
  const claims = vouched['email'] ? vouched : await openId.fetchUserInfo(provider, tokens.access_token, vouched.sub)
  return {
    issuer: vouched.iss,
    subject: vouched.sub,
    email: textOf(claims['email']),
    isEmailVerified: claims['email_verified'] === true,
    fullName: textOf(claims['name']),
  }
}

const textOf = (value: unknown) => (typeof value === 'string' && value.trim() ? value.trim() : null)

async function report<T>(ask: () => Promise<T>, kindOf: (error: Error) => IdentityFaultKind): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof IdentityFault) throw error
    throw new IdentityFault(kindOf(error as Error), reasonOf(error as Error), { cause: error })
  }
}

const saysLater = ['server_error', 'temporarily_unavailable']

function kindOf(error: Error): IdentityFaultKind {
  if (error instanceof openId.AuthorizationResponseError) {
    if (error.error === 'access_denied') return 'denied'
    return saysLater.includes(error.error) ? 'unavailable' : 'refused'
  }
  if (error instanceof openId.ResponseBodyError) return error.status >= 500 ? 'unavailable' : 'refused'
  // What `fetch` throws where nobody answers.
  if (error instanceof TypeError) return error.cause === undefined ? 'refused' : 'unavailable'
  if (!(error instanceof openId.ClientError)) return 'refused'
  const isServerFault = error.cause instanceof Response && error.cause.status >= 500
  return isServerFault || error.code === 'OAUTH_TIMEOUT' ? 'unavailable' : 'refused'
}

/** Names alone: what else such an error holds may be a token, or say who somebody is. */
function reasonOf(error: Error): string {
  const { code, error: word } = error as { code?: string; error?: string }
  return [error.message, code, word].filter((part) => typeof part === 'string').join(', ')
}
