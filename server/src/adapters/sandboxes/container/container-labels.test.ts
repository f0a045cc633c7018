import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { isLeft, labelsOf, sandboxOf } from './container-labels.ts'
import type { ListedContainer } from './engine.ts'

const nobody = new Set<string>()
const listed = (lifetimeMs: number, more: Partial<ListedContainer> = {}): ListedContainer => ({
  id: 'c1',
  labels: labelsOf({ folder: '/data/sandboxes', id: 'run-1-7', lifetimeMs }),
  hasEnded: false,
  ...more,
})

/** The same container, started by another process of this machine. */
function ofOwner(container: ListedContainer, change: object): ListedContainer {
  const owner = { ...(JSON.parse(container.labels['runwright.owner']!) as object), ...change }
  return { ...container, labels: { ...container.labels, 'runwright.owner': JSON.stringify(owner) } }
}

test('keeps what a service that is alive has started', () => {
  assert.equal(sandboxOf(listed(60_000)), 'run-1-7')
  assert.equal(isLeft(listed(60_000), nobody), false)
  assert.equal(isLeft(listed(60_000, { hasEnded: true }), new Set(['c1'])), false, 'it is about to remove it itself')
})

test('finds what a service left: one that is gone, that forgot it, or that did not end it in time', async () => {
  const child = spawn('true')
  await once(child, 'exit')
  assert.equal(isLeft(ofOwner(listed(60_000), { pid: child.pid }), nobody), true)
  assert.equal(isLeft(ofOwner(listed(60_000), { startTime: '1' }), nobody), true, 'its number is used again')
  assert.equal(isLeft(ofOwner(listed(60_000), { boot: 'before' }), nobody), true)
  assert.equal(isLeft(listed(60_000, { hasEnded: true }), nobody), true)
  assert.equal(isLeft(listed(-120_000), nobody), true)
})

test('judges no process whose number says nothing here', () => {
  assert.equal(isLeft(ofOwner(listed(60_000), { pid: 1, namespace: 'pid:[1]' }), nobody), false)
  const garbled = listed(60_000)
  garbled.labels['runwright.owner'] = 'nobody knows'
  assert.equal(isLeft(garbled, nobody), false)
})
