import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { verifyWebhook } from './verify-webhook.ts'

const body = Buffer.from('Hello, World!')
// GitHub's own example, of the secret `It's a Secret to Everybody`.
const signature = 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17'
const secret = "It's a Secret to Everybody"
const headers = { 'x-hub-signature-256': signature, 'x-github-event': 'push', 'x-github-delivery': '7' }

test('what is signed with a secret of ours is taken, with its name and what it is about', () => {
  assert.deepEqual(verifyWebhook({ headers, body }, [secret]), { delivery: '7', event: 'push' })
})

test('while a secret is changed both are good', () => {
  assert.ok(verifyWebhook({ headers, body }, ['new', secret]))
  assert.ok(verifyWebhook({ headers, body }, [secret, 'old']))
})

test('one byte more, another secret, or none, and it is not taken', () => {
  const secrets = [secret]
  assert.equal(verifyWebhook({ headers, body: Buffer.from('Hello, World! ') }, secrets), null)
  assert.equal(verifyWebhook({ headers, body }, ['another']), null)
  assert.equal(verifyWebhook({ headers, body }, []), null)
  const { 'x-hub-signature-256': _, ...unsigned } = headers
  assert.equal(verifyWebhook({ headers: unsigned, body }, secrets), null)
  for (const forged of [
    '',
    'sha256=',
    `sha1=${'0'.repeat(40)}`,
    `${signature}00`,
    signature.slice(0, -2),
    signature.toUpperCase(),
  ])
    assert.equal(verifyWebhook({ headers: { ...headers, 'x-hub-signature-256': forged }, body }, secrets), null, forged)
})

test('the older signature counts for nothing', () => {
  const sha1 = `sha1=${createHmac('sha1', secret).update(body).digest('hex')}`
  const { 'x-hub-signature-256': _, ...rest } = headers
  assert.equal(verifyWebhook({ headers: { ...rest, 'x-hub-signature': sha1 }, body }, [secret]), null)
})

test('one without a name has none', () => {
  const { 'x-github-delivery': _, ...rest } = headers
  assert.deepEqual(verifyWebhook({ headers: rest, body }, [secret]), { delivery: null, event: 'push' })
})
