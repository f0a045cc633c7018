import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError } from '#base/errors.ts'
import { reportCheck } from '#domain/hosts/checks/report-check.ts'
import { saveReview } from '#domain/hosts/reviews/save-review.ts'
import type { BranchRule } from '#domain/repos/branch-rule.ts'
import { updateRepo } from '#domain/repos/repos/update-repo.ts'
import { commitTo } from '#test/commit-to.ts'
import { makeUser } from '#test/make.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld, type World } from '#test/world.ts'
import { deletePullBranch } from './delete-pull-branch.ts'
import { getPull } from './get-pull.ts'
import { mergePull } from './merge-pull.ts'

const testing = await testApp()
const { app } = testing
const { pool: db } = app

const pullOf = (world: World) => ({ organizationId: world.organizationId, pullId: world.ids.pr_id! })

async function protect(world: World, rule: Partial<BranchRule>): Promise<void> {
  const whole = { pattern: 'main', requirePull: true, requiredChecks: [], requiredApprovals: 0, allowForcePush: false }
  const as = { description: undefined, archived: undefined, labels: undefined, setupCommands: undefined }
  const left = { acceptSetupCommands: undefined, checkCommands: undefined, defaultModels: undefined }
  const place = { organizationId: world.organizationId, repoId: world.ids.repo_id! }
  const branchRules = [{ ...whole, ...rule }]
  await updateRepo(db, { ...place, ...as, ...left, environmentSecrets: undefined, branchRules })
}

const merge = (world: World) =>
  mergePull(db, {
    ...pullOf(world),
    hosts: app.hosts,
    method: 'merge',
    expectedHead: null,
    userId: world.userId,
    at: new Date(),
  })
const refused = (words: RegExp) => (error: unknown) =>
  error instanceof AppError && error.code === 'conflict' && words.test(error.message)

async function report(world: World, key: string, name: string, conclusion: 'success' | 'failure'): Promise<void> {
  const { headCommit: commit } = await getPull(db, pullOf(world))
  const words = { url: undefined, summary: undefined, log: undefined, blobs: app.blobs }
  const place = { organizationId: world.organizationId, repoId: world.ids.repo_id!, commit }
  await reportCheck(db, { ...place, key, name, app: 'api', status: 'completed', conclusion, ...words })
}

let reviews = 0
async function review(
  world: World,
  by: { userId?: number; runId?: number },
  verdict: 'approve' | 'request_changes' | 'comment',
): Promise<void> {
  const { headCommit } = await getPull(db, pullOf(world))
  const words = {
    body: '',
    comments: [],
    headCommit,
    url: null,
    marker: `review-${++reviews}`,
    publicUrl: app.publicUrl,
  }
  await saveReview(db, { ...pullOf(world), userId: by.userId ?? null, runId: by.runId ?? null, verdict, ...words })
}

test('a branch with required checks is merged into once all of them have passed at the head', async () => {
  const world = await makeWorld(testing)
  await protect(world, { requiredChecks: ['test', 'lint'] })
  await report(world, 'test', 'test', 'success')
  await assert.rejects(
    merge(world),
    refused(/cannot be merged into main yet: .* have not passed at [0-9a-f]{7}: lint\./),
  )
  await report(world, 'lint', 'lint', 'success')
  await report(world, 'lint on another machine', 'lint', 'failure')
  await assert.rejects(merge(world), refused(/: lint\./))
  await report(world, 'lint on another machine', 'lint', 'success')
  assert.equal((await merge(world)).merged, true)
})

test('people approve what is merged: not an agent, not an earlier head, and not against somebody who wants changes', async () => {
  const world = await makeWorld(testing)
  await protect(world, { requiredApprovals: 2 })
  const { organizationId } = world
  const [ada, grace] = await Promise.all(
    [1, 2].map(async () => (await makeUser(db, { organizationId, role: 'MEMBER' })).id),
  )
  await review(world, { userId: ada! }, 'approve')
  await review(world, { userId: ada! }, 'approve')
  await review(world, { runId: world.ids.agent_run_id! }, 'approve')
  await assert.rejects(merge(world), refused(/1 of 2 people have approved/))
  await review(world, { userId: grace! }, 'approve')
  const { headBranch } = await getPull(db, pullOf(world))
  const commit = commitTo(world.repository, { branch: headBranch, files: { 'late.txt': 'late\n' } })
  await db.query('update pulls set head_commit = $2 where id = $1', [world.ids.pr_id, commit])
  await assert.rejects(merge(world), refused(/0 of 2 people have approved/))
  await review(world, { userId: ada! }, 'approve')
  await review(world, { userId: grace! }, 'request_changes')
  await assert.rejects(merge(world), refused(/1 of 2 people have approved .*; changes are requested/))
  await review(world, { userId: grace! }, 'approve')
  await review(world, { userId: grace! }, 'comment')
  assert.equal((await merge(world)).merged, true)
})

test('the branch of a merged pull request stays where a rule protects it', async () => {
  const world = await makeWorld(testing)
  const { headBranch } = await getPull(db, pullOf(world))
  await protect(world, { pattern: headBranch })
  await merge(world)
  const deleted = deletePullBranch(db, { ...pullOf(world), hosts: app.hosts, userId: null })
  await assert.rejects(deleted, refused(/a rule protects/))
})
