/** What a repository needs is found, installed from a registry on loopback through the sandbox's door, and accepted. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import { acceptSetupProposal } from '#domain/setup-commands/accept-setup-proposal.ts'
import { getRepo } from '#domain/repos/get-repo.ts'
import { packages, startPackageRegistry } from '#test/package-registry.ts'
import { npmRepository } from '#test/setup-repositories.ts'
import { startSetupStory } from '#test/setup-story.ts'

const registry = await startPackageRegistry({ name: 'registry.test' })
const story = await startSetupStory({ allowed: [registry.host], names: ['registry.test', 'closed.test'] })
const { app } = story
const npm = { skip: !existsSync('/usr/bin/npm') && 'npm is none of the system’s programs here' }

test('without any model, a run proposes what installs and tests a package of npm', npm, async () => {
  const repo = await story.makeRepo(npmRepository(registry))
  const { run, proposal, log } = await story.find(repo)
  assert.equal(run.status, 'completed', log)
  assert.partialDeepStrictEqual(proposal, { n: 1, state: 'proposed', commands: ['npm ci'], testCommand: 'npm test' })
  assert.deepEqual(
    proposal?.evidence.map(({ command, exit_code }) => [command, exit_code]),
    [
      ['npm ci', 0],
      ['npm test', 0],
    ],
  )
  assert.match(proposal?.lockfiles['package-lock.json'] ?? '', /^[0-9a-f]{64}$/)
  assert.ok(registry.asked.includes(`/${packages.npm}/-/${packages.npm}-1.0.0.tgz`), registry.asked.join())
  assert.partialDeepStrictEqual(run, { sourceType: 'SETUP_COMMANDS', pulls: [], branch: run.branch })
  assert.equal(
    (await getRepo(app.pool, { organizationId: repo.organizationId, repoId: repo.id })).setupStatus,
    'proposed',
  )
  const { id: repoId, organizationId } = repo
  await acceptSetupProposal(app.pool, { organizationId, repoId, n: 1, userId: story.userId, addCheck: true })
  assert.partialDeepStrictEqual(await getRepo(app.pool, { organizationId, repoId }), {
    setupStatus: 'accepted',
    setupCommands: 'npm ci',
    checkCommands: [{ name: 'test', command: 'npm test' }],
  })
})

test('says what was refused where the registry may not be reached', npm, async () => {
  const repo = await story.makeRepo(npmRepository({ ...registry, url: 'http://closed.test' }))
  const { run, proposal } = await story.find(repo)
  assert.equal(proposal, undefined)
  assert.equal(run.error?.code, 'setup_not_found')
  assert.match(run.error.message, /`npm ci` ended with exit code 1[^]*egress/)
  assert.equal(
    (await getRepo(app.pool, { organizationId: repo.organizationId, repoId: repo.id })).setupStatus,
    'failed',
  )
})
