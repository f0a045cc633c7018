import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { App } from '#app/app.ts'
import { removeMember } from '#domain/accounts/members/remove-member.ts'
import { makeUser } from '#test/make.ts'
import { testApp } from '#test/test-app.ts'
import { isTrusted } from './is-trusted.ts'

const testing = await testApp()
const { pool: db, hosts, tokenKeys } = testing.app

/** A member, and whether they are trusted so many seconds from now. */
async function makeScene() {
  const { organizationId } = await testing.member()
  const { id: userId } = await makeUser(db, { organizationId })
  const now = Date.now()
  return {
    leave: () => removeMember(db, tokenKeys, { organizationId, userId }),
    isTrustedIn: (seconds: number, path = `${organizationId}/1.git`) => {
      const app: Pick<App, 'hosts' | 'clock'> = { hosts, clock: { now: () => new Date(now + seconds * 1_000) } }
      const actor = { hostUserId: String(userId), login: 'grace', isBot: false }
      return isTrusted(app, { organizationId, path }, actor)
    },
  }
}

test('who may write in a repository may ask, and nobody else', async () => {
  const [member, stranger] = [await makeScene(), await makeScene()]
  await stranger.leave()
  assert.ok(await member.isTrustedIn(0))
  assert.ok(!(await stranger.isTrustedIn(0)))
})

test('what the host has said counts for a minute, for this person in this repository', async () => {
  const { leave, isTrustedIn } = await makeScene()
  assert.ok(await isTrustedIn(0))
  await leave()
  assert.ok(await isTrustedIn(59))
  assert.ok(!(await isTrustedIn(59, '1/2.git')))
  assert.ok(!(await isTrustedIn(61)))
})
