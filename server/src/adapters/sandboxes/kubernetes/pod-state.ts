import type { V1ContainerStatus, V1Pod } from '@kubernetes/client-node'

/** While a container waits for one of these, it waits in vain. */
const hopeless = new Set([
  'ErrImagePull',
  'ImagePullBackOff',
  'InvalidImageName',
  'ErrImageNeverPull',
  'CreateContainerConfigError',
  'CreateContainerError',
  'RunContainerError',
])

const statusesOf = ({ status }: V1Pod): V1ContainerStatus[] => [
  ...(status?.initContainerStatuses ?? []),
  ...(status?.containerStatuses ?? []),
]

/** Why nothing will come of a Pod, in words for an operator; null while something may. */
export function problemOf(pod: V1Pod): string | null {
  for (const { state } of statusesOf(pod)) {
    const { waiting, terminated } = state ?? {}
    if (waiting && hopeless.has(waiting.reason ?? '')) return say(waiting.reason, waiting.message)
    if (terminated && terminated.exitCode !== 0) return say(terminated.reason, terminated.message)
  }
  const { phase, reason, message } = pod.status ?? {}
  return phase === 'Failed' || phase === 'Succeeded' ? say(reason ?? phase, message) : null
}

/** What a Pod that has not begun waits for. */
export function waitOf(pod: V1Pod): string {
  const unscheduled = pod.status?.conditions?.find(({ type, status }) => type === 'PodScheduled' && status === 'False')
  if (unscheduled) return say(unscheduled.reason, unscheduled.message)
  const waiting = statusesOf(pod).flatMap(({ state }) => (state?.waiting ? [state.waiting] : []))[0]
  return waiting ? say(waiting.reason, waiting.message) : (pod.status?.phase ?? 'it is not known why')
}

export function hasRunOutOfMemory(pod: V1Pod): boolean {
  return statusesOf(pod).some(({ state }) => state?.terminated?.reason === 'OOMKilled')
}

const say = (reason: string | undefined, message: string | undefined): string =>
  [reason, message?.trim()].filter(Boolean).join(': ')
