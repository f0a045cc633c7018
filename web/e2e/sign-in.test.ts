import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { makeUser } from '@runwright/server/test/make.ts'
import { openIdServer } from '@runwright/server/test/open-id-server.ts'
import { openUi } from './open-ui.ts'

const provider = await openIdServer()
const { service, db, browser } = await openUi({
  RUNWRIGHT_OIDC_ISSUER: provider.issuer,
  RUNWRIGHT_OIDC_CLIENT_ID: provider.clientId,
  RUNWRIGHT_OIDC_CLIENT_SECRET: provider.clientSecret,
})
provider.register(`${service.url}/auth/oidc/callback`)
after(() => {
  // Neither the client's secret nor a code or token of anybody is in the log.
  assert.ok(!service.said().includes(provider.clientSecret))
  assert.doesNotMatch(service.said(), /code=|eyJ/)
})
const button = { name: `Sign in with ${new URL(provider.issuer).host}` }

test('somebody signs in at the provider and comes where the link leads; who is not known is told so', async () => {
  const organizationId = service.organizationId
  await makeUser(db, { organizationId, email: 'grace@example.com' })
  provider.people['grace'] = { email: 'grace@example.com', email_verified: true }
  provider.people['mallory'] = { email: 'mallory@example.com', email_verified: true }
  for (const [login, isKnown] of [
    ['mallory', false],
    ['grace', true],
  ] as const) {
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${service.url}/organizations/${organizationId}/tokens`)
    await page.getByRole('link', button).click()
    await page.locator('[name=login]').fill(login)
    await page.locator('[name=password]').fill('any')
    await page.getByRole('button', { name: 'Sign-in' }).click()
    await page.getByRole('button', { name: 'Continue' }).click()
    if (isKnown) await page.getByRole('heading', { name: 'Tokens', exact: true }).waitFor()
    else await page.getByRole('alert').getByText('You don’t have an account here yet.').waitFor()
    assert.equal(new URL(page.url()).pathname, isKnown ? `/organizations/${organizationId}/tokens` : '/sign-in')
  }
})

test('a provider that is away does not keep anybody from signing in with a token', async () => {
  provider.state = 'gone'
  const page = await (await browser.newContext()).newPage()
  await page.goto(`${service.url}/sign-in?fault=unavailable`)
  await page.getByRole('alert').getByText('Can’t reach the identity provider.').waitFor()
  await page.getByLabel('Token').fill(service.token)
  await page.getByRole('button', { name: 'Sign in with a token' }).click()
  await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor()
})
