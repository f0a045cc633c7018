import assert from 'node:assert/strict'
import { test } from 'node:test'
import { testApp } from '#test/test-app.ts'

const { app } = await testApp()
const { hosts } = app

const at = (path: string) => ({ organizationId: 1, path })

test('each repository is picked its own host by its path', () => {
  assert.equal(hosts.git(at('1/2.git')), hosts.git(at('1/3.git')))
  assert.equal(hosts.git(at('1/run-7.git')), hosts.git(at('1/2.git')), 'what a run alone works in is ours')
  assert.notEqual(hosts.git(at('1/github-2.git')), hosts.git(at('1/2.git')))
  assert.notEqual(hosts.forge(at('1/github-2.git')), hosts.forge(at('1/2.git')))
})

test('a repository of a host that is not known here is refused', () => {
  const unsupported = {
    name: 'HostError',
    code: 'unsupported',
    message: 'Repositories of elsewhere are not known here.',
  }
  assert.throws(() => hosts.git(at('1/elsewhere-2.git')), unsupported)
  assert.throws(() => hosts.forge(at('1/elsewhere-2.git')), unsupported)
})
