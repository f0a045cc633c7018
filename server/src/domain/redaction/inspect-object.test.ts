import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRedactor } from '#base/redactor/redactor.ts'
import { inspectObject } from './inspect-object.ts'

const value = 'f3Kq9ZtYw2LmX7bVn4Rs'
const redactor = openRedactor([{ name: 'DEPLOY_KEY', value }])
const id = '0123456789abcdef0123456789abcdef01234567'

function complaintOf(kind: string, path: string, ...pieces: string[]): string | null {
  const inspector = inspectObject(redactor, { kind, id, path })
  for (const piece of pieces) inspector.write(Buffer.from(piece))
  return inspector.end()
}

test('names the file and the line that a secret stands in, wherever the file is cut', () => {
  const text = `one\ntwo\nkey = ${value}\nfour\n`
  for (let cut = 1; cut < text.length; cut++)
    assert.match(
      complaintOf('blob', 'config/prod.env', text.slice(0, cut), text.slice(cut)) ?? '',
      /^config\/prod\.env, line 3, holds the secret DEPLOY_KEY\. Take it out of every commit/,
    )
})

test('a secret in the message of a commit, or in the name of a file, is found too', () => {
  assert.match(complaintOf('commit', '', `tree ${id}\n\nThe key: ${value}\n`) ?? '', /^the commit 0123456789ab holds/)
  assert.match(complaintOf('tree', 'src', `100644 ${value}.txt\0`) ?? '', /^the name of a file in src holds/)
  assert.match(complaintOf('tree', '', `100644 ${value}.txt\0`) ?? '', /^the name of a file in the top folder holds/)
})

test('what it says of a secret does not show it', () => {
  const complaint = complaintOf('blob', `old/${value}.txt`, value)
  assert.match(complaint ?? '', /^old\/\[redacted:DEPLOY_KEY\]\.txt, line 1,/)
})

test('tokens that only look like some may be in a repository', () => {
  assert.equal(complaintOf('blob', 'test/tokens.ts', 'ghp_k9X2mQ7vB4nL8wR3tY6pZ1cD5fG0hJsAuEiK'), null)
  assert.equal(complaintOf('blob', 'a', value.slice(0, 11)), null)
})

test('half of a secret is one, and so is one that is written otherwise', () => {
  assert.match(complaintOf('blob', 'a', value.slice(0, -1)) ?? '', /^a, line 1, holds the secret DEPLOY_KEY/)
  const spaced = [...value].join(' ')
  assert.match(complaintOf('blob', 'a', `one\n${spaced}\n`) ?? '', /^a, line 2, holds the secret DEPLOY_KEY/)
})
