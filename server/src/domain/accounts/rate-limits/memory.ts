import type { Policy } from '#base/rate-limits.ts'
import type { Charge, Decision, KeptWindow, Window, WindowState } from './window.ts'

/** The counts of one process that serves alone: by token, or other owner, and policy, the times of the newest charges, oldest first. */
export type Memory = Map<number, Map<Policy, number[]>>

/** Decides and charges in one go, without a wait in between. `now` is of a clock that never steps back. */
export function admitInMemory(
  memory: Memory,
  { credentialId, windows, isGuarded, shared }: Charge,
  now: number,
): Decision {
  const logs = logsOf(memory, credentialId)
  const [guard] = windows
  if (guard && isGuarded) {
    const state = stateOf(guard, logs.get(guard.policy) ?? [], now)
    if (state.used >= guard.limit) return { isAdmitted: false, states: [state] }
  }
  for (const window of shared) {
    const state = stateOf(window, memory.get(window.owner)?.get(window.policy) ?? [], now)
    if (state.used >= window.limit) return { isAdmitted: false, states: [state] }
  }
  const states = windows.map((window) => chargeTo(logs, window, now))
  return {
    isAdmitted: true,
    states: [...states, ...shared.map((window) => chargeTo(logsOf(memory, window.owner), window, now))],
  }
}

function chargeTo(logs: Map<Policy, number[]>, window: Window, now: number): WindowState {
  const { policy, limit } = window
  const times = logs.get(policy) ?? []
  times.push(now)
  // `logs` is charged beyond its limit; what decides is always among the newest. Cut seldom, as that costs.
  if (times.length > 2 * limit) times.splice(0, times.length - limit)
  logs.set(policy, times)
  return stateOf(window, times, now)
}

export function readMemory<Of extends Policy>(
  memory: Memory,
  credentialId: number,
  windows: Window<Of>[],
  now: number,
): WindowState<Of>[] {
  const logs = memory.get(credentialId)
  return windows.map((window) => stateOf(window, logs?.get(window.policy) ?? [], now))
}

/** Everything in it, to be counted elsewhere. */
export function keptOf(memory: Memory, now: number): KeptWindow[] {
  return [...memory].flatMap(([credentialId, logs]) =>
    [...logs].map(([policy, times]) => ({ credentialId, policy, agesMs: times.map((time) => now - time) })),
  )
}

/** What was counted elsewhere, as a memory of its own. */
export function memoryOf(kept: KeptWindow[], now: number): Memory {
  const memory: Memory = new Map()
  for (const { credentialId, policy, agesMs } of kept)
    logsOf(memory, credentialId).set(
      policy,
      agesMs.map((age) => now - age),
    )
  return memory
}

/** Forgets tokens that have been silent for so long that no window holds any of their requests. */
export function forgetSilentIn(memory: Memory, { silentMs, now }: { silentMs: number; now: number }): void {
  for (const [credentialId, logs] of memory)
    if ([...logs.values()].every((times) => now - (times.at(-1) ?? 0) >= silentMs)) memory.delete(credentialId)
}

function logsOf(memory: Memory, credentialId: number): Map<Policy, number[]> {
  const known = memory.get(credentialId)
  if (known) return known
  const fresh = new Map<Policy, number[]>()
  memory.set(credentialId, fresh)
  return fresh
}

function stateOf<Of extends Policy>(window: Window<Of>, times: number[], now: number): WindowState<Of> {
  const first = firstInside(window, times, now)
  const oldest = times[first]
  if (oldest === undefined) return { ...window, used: 0, resetsInMs: null }
  return { ...window, used: times.length - first, resetsInMs: window.windowMs - (now - oldest) }
}

/** Where the newest `limit` times that are still in the window begin: they are in order, so half of them at a look. */
function firstInside({ limit, windowMs }: Window, times: number[], now: number): number {
  let low = Math.max(times.length - limit, 0)
  let high = times.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (now - times[middle]! < windowMs) high = middle
    else low = middle + 1
  }
  return low
}
