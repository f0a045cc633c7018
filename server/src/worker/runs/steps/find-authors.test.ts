import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { App } from '#app/app.ts'
import { ownAuthor } from '#base/own-author.ts'
import { createIntegration } from '#domain/hosts/integrations/create-integration.ts'
import type { Asker } from '#domain/runs/messages/message.ts'
import { getTurn } from '#domain/runs/runs/get-turn.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld } from '#test/world.ts'
import { findAuthors } from './find-authors.ts'

const testing = await testApp()
const app = testing.app as unknown as App
const db = app.pool
const bot = { id: '41', login: 'runwright[bot]' }
const ada = { id: '7', login: 'ada' }

type Scene = { asker?: Asker; linked?: Asker; baseUrl?: string | null; of?: Asker | null; isConnected?: boolean }

/** In whose name a run's commits are, in a repository of GitHub. */
async function authorsOf({ asker, linked, baseUrl = null, of = bot, isConnected = true }: Scene) {
  const { organizationId, userId, ids } = await makeWorld(testing)
  const { id } = await createIntegration(db, app.secretBox, {
    organizationId,
    kind: 'github',
    baseUrl,
    appId: null,
    installationId: null,
    account: null,
    bot: of,
    credentials: { token: 'ghp_x', webhookSecrets: [] },
    userId,
  })
  await db.query(`update repos set host = 'github', integration_id = $2 where organization_id = $1`, [
    organizationId,
    id,
  ])
  if (linked)
    await db.query(
      `insert into host_accounts (organization_id, host, host_user_id, login, user_id) values ($1, 'github', $2, $3, $4)`,
      [organizationId, linked.id, linked.login, userId],
    )
  const { holder } = await makeHeldRun(db, { organizationId, userId, repoId: ids.repo_id!, ...(asker && { asker }) })
  if (!isConnected)
    await db.query('update repos set integration_id = null where organization_id = $1', [organizationId])
  return findAuthors(app, { holder, facts: await getTurn(db, holder) })
}

test('accounts have the noreply addresses of their host', async () => {
  assert.deepEqual(await authorsOf({ asker: ada }), {
    by: { name: 'runwright[bot]', email: '41+runwright[bot]@users.noreply.github.com' },
    with: [{ name: 'ada', email: '7+ada@users.noreply.github.com' }],
  })
  const enterprise = await authorsOf({ asker: ada, baseUrl: 'https://ghe.example.com/api/v3' })
  assert.equal(enterprise.by.email, '41+runwright[bot]@users.noreply.ghe.example.com')
  assert.equal(enterprise.with[0]?.email, '7+ada@users.noreply.ghe.example.com')
})

test('a member is the account that they are linked to on this host, and nobody where there is none', async () => {
  assert.deepEqual((await authorsOf({ linked: ada })).with, [{ name: 'ada', email: '7+ada@users.noreply.github.com' }])
  assert.deepEqual((await authorsOf({})).with, [])
  assert.deepEqual((await authorsOf({ linked: ada, baseUrl: 'https://ghe.example.com/api/v3' })).with, [])
})

test('whose token it is made the work alone where they ask for it, and who is not known yet is not guessed', async () => {
  assert.deepEqual(await authorsOf({ asker: ada, of: ada }), {
    by: { name: 'ada', email: '7+ada@users.noreply.github.com' },
    with: [],
  })
  assert.deepEqual((await authorsOf({ asker: ada, of: null })).by, ownAuthor)
  assert.deepEqual(await authorsOf({ asker: ada, isConnected: false }), { by: ownAuthor, with: [] })
})

test('what a host calls an account writes no lines into a commit', async () => {
  for (const login of ['ada\nCo-authored-by: eve', 'ada <eve@example.com>', 'a b', ''])
    assert.deepEqual((await authorsOf({ asker: { id: '7', login } })).with, [], login)
  assert.deepEqual((await authorsOf({ asker: { id: '7\n', login: 'ada' } })).with, [])
})
