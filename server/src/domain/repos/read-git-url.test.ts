import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readGitUrl } from './read-git-url.ts'

const from = 'https://host.test/acme/web'

test('an address says on which host a repository lies, and where there', () => {
  const lib = { host: 'host.test', port: '', path: 'acme/lib' }
  assert.deepEqual(readGitUrl('https://host.test/acme/lib.git', from), lib)
  assert.deepEqual(readGitUrl('https://me:word@HOST.test/acme/lib/', from), lib)
  assert.deepEqual(readGitUrl('../lib.git', from), lib)
  assert.deepEqual(readGitUrl('../../acme/lib', from), lib)
  assert.deepEqual(readGitUrl('../lib.git', `${from}.git`), lib)
  assert.deepEqual(readGitUrl('git@host.test:acme/lib.git', from), { ...lib, port: null })
  assert.deepEqual(readGitUrl('ssh://git@host.test:2222/acme/lib.git', from), { ...lib, port: null })
  assert.equal(readGitUrl('https://host.test:8443/acme/lib', from)?.port, '8443')
})

test('what is no address of a repository on a host is none', () => {
  for (const url of [
    '',
    '-u./payload',
    '--upload-pack=touch pwned',
    'file:///etc',
    '/etc/passwd',
    'ext::sh -c touch% pwned',
    'fd::17',
    'https::https://host.test/a',
    'lib',
    '..',
    'C:\\repo',
    'git@host.test:/etc/passwd',
    'git@host.test:-x/lib',
    'git://host.test/acme/lib',
    'https://host.test/acme/lib\nurl = x',
    'https://host.test/acme/%00',
    'https://host.test/acme/-x',
    'https:///acme/lib%2e%2e',
    `https://host.test/${'a/'.repeat(30)}`,
    `../${'a'.repeat(2_000)}`,
  ])
    assert.equal(readGitUrl(url, from), null, url)
  assert.equal(readGitUrl('../lib', ''), null)
})
