import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { HostError } from '#adapters/codehosts/code-host.ts'
import type { Forge } from '#adapters/codehosts/forge.ts'
import type { HostActor } from '#base/hosts/host-event.ts'
import type { HostPush } from '#base/hosts/host-facts.ts'
import { intendEffect } from '#domain/runs/effects/intend-effect.ts'
import { recordHostEvent } from '#domain/hosts/events/record-host-event.ts'
import { initialState, type Fixer } from '#domain/hosts/fixer.ts'
import { getRepo } from '#domain/repos/repos/get-repo.ts'
import { makeHeldRun } from '#test/make-run.ts'
import { testApp } from '#test/test-app.ts'
import { makeWorld } from '#test/world.ts'
import { whoHasPushed } from './who-has-pushed.ts'

const testing = await testApp()
const { pool: db, hosts } = testing.app

const person: HostActor = { hostUserId: '7', login: 'ada', isBot: false }
const formatter: HostActor = { hostUserId: '8', login: 'formatter[bot]', isBot: true }
const commit = () => randomBytes(20).toString('hex')

/** A branch that an agent has last seen at `seen`; what is told of it, and what its host says when it is asked. */
async function makeScene() {
  const world = await makeWorld(testing)
  const { organizationId, userId } = world
  const { run, holder } = await makeHeldRun(db, { organizationId, userId })
  const [repoId, runId, pullId] = [world.ids.repo_id!, run.id, world.ids.pr_id!]
  const repo = await getRepo(db, { organizationId, repoId })
  const forge = hosts.forge(repo)
  const seen = commit()
  const state = initialState({ head: seen, at: 0 })
  const agent: Fixer = {
    organizationId,
    pullId,
    repoId,
    runId,
    state,
    effects: [],
    reported: null,
  }
  return {
    seen,
    tell: (push: HostPush) =>
      recordHostEvent(db, {
        organizationId,
        repoId,
        event: { type: 'push', branch: 'agent/1', runId: null, at: '2026-11-22T00:00:00Z', ...push },
      }),
    /** The run says that it pushes this. */
    intend: async (of: string) => {
      await intendEffect(db, { holder, key: of, kind: 'push', request: { branch: 'agent/1', commit: of } })
    },
    who: (to: string, listPushes: Forge['listPushes'] = forge.listPushes) =>
      whoHasPushed(
        { pool: db, hosts: { ...hosts, forge: () => ({ ...forge, listPushes }) } },
        { agent: { ...agent, job: { tries: 4 } }, repo, branch: 'agent/1', to },
      ),
  }
}

test('who has pushed is a program where each push since then is one of a program', async () => {
  const { seen, tell, who } = await makeScene()
  const [first, second] = [commit(), commit()]
  await tell({ before: seen, after: first, actor: formatter })
  assert.equal(await who(first), 'program')
  await tell({ before: first, after: second, actor: null })
  assert.equal(await who(second), 'person', 'nobody knows who it was')
  await tell({ before: first, after: second, actor: formatter })
  assert.equal(await who(second), 'program', 'who tells it again knows')
})

test("a person's push counts, though a program has pushed on top of it before anybody looked", async () => {
  const { seen, tell, who } = await makeScene()
  const [theirs, formatted] = [commit(), commit()]
  await tell({ before: seen, after: theirs, actor: person })
  await tell({ before: theirs, after: formatted, actor: formatter })
  assert.equal(await who(formatted), 'person')
})

test("what its own run has pushed in between is no person's", async () => {
  const { seen, tell, intend, who } = await makeScene()
  const [own, formatted] = [commit(), commit()]
  await intend(own)
  assert.equal(await who(own), 'run')
  await tell({ before: seen, after: own, actor: null })
  await tell({ before: own, after: formatted, actor: formatter })
  assert.equal(await who(formatted), 'program')
})

test('of what nobody has told, the host says it; where it cannot, a person is supposed', async () => {
  const { seen, tell, who } = await makeScene()
  const [first, second] = [commit(), commit()]
  await tell({ before: first, after: second, actor: formatter })
  const lost: HostPush[] = [{ before: seen, after: first, actor: formatter }]
  assert.equal(await who(second), 'person')
  assert.equal(await who(second, async () => lost), 'program')
  const refuse = (code: 'forbidden' | 'unavailable') => () => Promise.reject(new HostError(code, 'No'))
  assert.equal(await who(second, refuse('forbidden')), 'person')
  await assert.rejects(who(second, refuse('unavailable')), HostError, 'it is asked again later')
})
