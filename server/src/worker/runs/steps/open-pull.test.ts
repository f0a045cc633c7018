import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noHooks } from '#base/hooks.ts'
import { HostError, type HostErrorCode } from '#adapters/codehosts/code-host.ts'
import type { Forge } from '#adapters/codehosts/forge.ts'
import { noSandbox } from '#adapters/sandboxes/no-sandbox.ts'
import { ownAuthor } from '#base/own-author.ts'
import type { App } from '#app/app.ts'
import { rows } from '#db/pool.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { getTurn } from '#domain/runs/runs/get-turn.ts'
import { commitTo } from '#test/commit-to.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld } from '#test/world.ts'
import { noLfsFiles } from '#worker/runs/work-tree/find-lfs-files.ts'
import { openPull } from './open-pull.ts'

const testing = await testApp()
const app = { ...testing.app, mask: testing.app.redactors.own.mask } as unknown as App
const db = app.pool

/** A run at work whose branch is pushed; `openIt` does what comes next, on a host that refuses as often as told, and is the built-in one unless it is said to be elsewhere. */
async function setScene(host = 'local') {
  const world = await makeWorld(testing)
  const ids = { organizationId: world.organizationId, repoId: world.ids.repo_id! }
  const { holder } = await makeHeldRun(db, { ...ids, userId: world.userId })
  const base = commitTo(world.repository, { branch: 'main', files: { a: 'a' } })
  const commit = commitTo(world.repository, { branch: 'agent/work', from: 'main', files: { b: 'b' } })
  const workspace = { ref: await getRepo(db, ids), branch: 'agent/work', baseBranch: 'main', baseCommit: base }
  const facts = await getTurn(db, holder)
  if (facts.repo) facts.repo.host = host
  const openIt = async (refusals: HostError[] = []) => {
    const forge = app.hosts.forge(workspace.ref)
    const refusing: Forge = {
      ...forge,
      openPull: async (...options) => {
        const refusal = refusals.shift()
        if (refusal) throw refusal
        return forge.openPull(...options)
      },
    }
    await openPull(
      { ...app, hosts: { ...app.hosts, forge: () => refusing } },
      {
        holder,
        facts,
        workspace: {
          ...workspace,
          sandbox: noSandbox,
          proxy: null,
          startCommit: null,
          branchCommit: null,
          submodules: { found: [], left: [] },
          lfs: noLfsFiles,
          authors: { by: ownAuthor, with: [] },
          checks: [],
          habits: null,
          hooks: noHooks,
        },
        commit,
        title: 'Work',
        answer: { answer: 'Done.' },
        verified: [],
        signal: new AbortController().signal,
      },
    )
  }
  const log = () =>
    rows<{ type: string; observation: { code?: string; message?: string; number?: number } }>(
      db,
      `select message_type as type, body->'observation' as observation from log_entries where organization_id = $1 and run_id = $2 order by seq`,
      [holder.organizationId, holder.runId],
    )
  return { openIt, log, holder }
}

const limited = (retryInMs: number) => new HostError('rate_limited', 'Too many requests', { retryInMs })

test('what a host elsewhere may answer otherwise later is left to whoever tries again; what is final is said', async () => {
  for (const code of ['unavailable', 'rate_limited', 'unauthorized', 'forbidden'] as const) {
    const { openIt, log } = await setScene('github')
    await assert.rejects(openIt([new HostError(code, 'Not now')]), { code })
    assert.deepEqual(await log(), [])
    await openIt()
    assert.partialDeepStrictEqual(await log(), [{ type: 'INITIAL_PR_GENERATION' }])
  }
  const { openIt, log } = await setScene('github')
  await openIt([new HostError('invalid', 'Never')])
  assert.partialDeepStrictEqual(await log(), [{ type: 'PR_CREATION_FAILED', observation: { code: 'invalid' } }])
})

test('why there is no pull request stands in the log, as the host has said it', async () => {
  const codes: HostErrorCode[] = ['forbidden', 'protected', 'no_diff', 'invalid', 'unavailable']
  for (const code of codes) {
    const { openIt, log } = await setScene()
    await openIt([new HostError(code, `It is ${code}`)])
    assert.partialDeepStrictEqual(await log(), [
      { type: 'PR_CREATION_FAILED', observation: { code, message: `It is ${code}` } },
    ])
  }
  const { openIt, log } = await setScene()
  await openIt([limited(3_600_000)])
  assert.partialDeepStrictEqual(await log(), [{ type: 'PR_CREATION_FAILED', observation: { code: 'rate_limited' } }])
})

test('a pull request is opened, looked after and told once, however often it is begun', async () => {
  const { openIt, log, holder } = await setScene()
  await openIt()
  await openIt()
  assert.equal((await log()).length, 1)
  const agents = await rows(db, 'select from pull_agents where organization_id = $1 and run_id = $2', [
    holder.organizationId,
    holder.runId,
  ])
  assert.equal(agents.length, 1)
})
