import assert from 'node:assert/strict'
import { test } from 'node:test'
import { probeLimits as limits } from '#adapters/sandboxes/look-inside.ts'
import { enforcementOf } from './enforcement-of.ts'
import type { EngineFacts } from './engine.ts'

const facts: EngineFacts = {
  name: 'Podman 4.3.1',
  isPodman: true,
  isRootless: false,
  storageDriver: 'overlay',
  cgroupVersion: '1',
  runtimes: [],
  defaultRuntime: 'runc',
  holds: { memory: true, cpu: true, processes: true },
}
const held = { memoryBytes: limits.memoryBytes, processes: 88, cpuWeight: 512, outOfMemoryKills: () => 0 }
const none = { memory: 'none', cpu: 'none', processes: 'none' }

test('what the control groups show is what holds', () => {
  const kernel = { memory: 'kernel', cpu: 'kernel', processes: 'kernel', disk: 'polled' }
  assert.partialDeepStrictEqual(enforcementOf({ facts, runtime: null, group: held, limits }), kernel)
  const unlimited = { ...held, memoryBytes: Number.NaN, processes: Number.NaN, cpuWeight: undefined }
  const found = enforcementOf({ facts, runtime: null, group: unlimited, limits })
  assert.partialDeepStrictEqual(found, { ...none, memory: 'polled' })
  // What gVisor's own processes hold is not what commands hold, so nobody looks at it.
  const ofGvisor = enforcementOf({ facts, runtime: 'runsc', group: unlimited, limits })
  assert.partialDeepStrictEqual(ofGvisor, none)
})

test('an engine is believed where nothing can be seen, unless it is known to ignore limits', () => {
  const of = (more: Partial<EngineFacts>, runtime: string | null = null) =>
    enforcementOf({ facts: { ...facts, ...more }, runtime, group: null, limits })
  assert.partialDeepStrictEqual(of({}), { memory: 'kernel', cpu: 'kernel', processes: 'kernel' })
  assert.partialDeepStrictEqual(of({ isRootless: true }), none)
  assert.partialDeepStrictEqual(of({ isRootless: true, cgroupVersion: '2' }), { memory: 'kernel' })
  assert.partialDeepStrictEqual(of({}, 'runsc'), none)
  assert.partialDeepStrictEqual(of({ defaultRuntime: '/usr/bin/runsc' }), none)
  assert.partialDeepStrictEqual(of({ holds: { memory: false, cpu: false, processes: false } }), none)
})
