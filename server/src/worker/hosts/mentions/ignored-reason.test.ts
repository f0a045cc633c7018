import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hideMarker } from '#base/text/hidden-marker.ts'
import type { OwnAccount } from '#domain/hosts/integrations/get-own-account.ts'
import { ignoredReason, type Heard } from './ignored-reason.ts'

const ada = { hostUserId: '1', login: 'ada', isBot: false }
const app: OwnAccount = { host: 'github', hostUserId: '9', mentionedAs: 'acme-agent', isPerson: false }
const why = (options: Partial<Heard>) =>
  ignoredReason({
    actor: ada,
    body: '@runwright go',
    own: app,
    agentName: 'runwright',
    isMentionNeeded: true,
    ...options,
  })

test('a person who mentions the agent is heard, by its name or by that of its App', () => {
  assert.equal(why({}), null)
  assert.equal(why({ body: '@acme-agent go' }), null)
  assert.match(why({ body: 'go' }) ?? '', /does not mention/)
  assert.equal(why({ body: 'go', isMentionNeeded: false }), null)
})

test('neither our own account is heard, nor any other program, nor nobody', () => {
  assert.match(why({ actor: { ...ada, hostUserId: '9' } }) ?? '', /our own/)
  assert.match(why({ actor: { ...ada, isBot: true } }) ?? '', /is a program/)
  assert.match(why({ actor: null }) ?? '', /nobody knows/)
})

test('whoever has lent us a token is heard, and what we say under that name is not', () => {
  const own: OwnAccount = { host: 'github', hostUserId: '1', mentionedAs: null, isPerson: true }
  assert.equal(why({ own }), null)
  assert.match(why({ own, body: hideMarker('As @runwright I say: done.', 'agent-run:7') }) ?? '', /our own/)
})

test('a comment that looks like ours is not heard, whoever wrote it', () => {
  assert.match(why({ body: '@runwright go <!-- runwright:agent-run:7 -->', isMentionNeeded: false }) ?? '', /our own/)
})
