import type { LocalProvider } from '#adapters/sandboxes/local-provider.ts'
import { lookInside, probeLimits, type InsideAdvice } from '#adapters/sandboxes/look-inside.ts'
import { asSentence } from '#adapters/sandboxes/probe-bubblewrap.ts'
import { newProbeId } from '#adapters/sandboxes/probe-id.ts'
import type { SandboxStatus } from '#adapters/sandboxes/sandbox.ts'
import { enforcement, hasOwnKernel, type KubernetesSetting } from './launch-pod.ts'

const advice: InsideAdvice = {
  rights: 'use another RuntimeClass (RUNWRIGHT_SANDBOX_RUNTIME), or none.',
  programs: 'put it into the image (RUNWRIGHT_SANDBOX_IMAGE).',
  // Its Pod begins only once the cluster lets nothing through.
  hasForbiddenNetwork: true,
}

/** Starts a Pod and judges it from inside. */
export async function probePod(setting: KubernetesSetting, local: LocalProvider): Promise<SandboxStatus> {
  const id = newProbeId()
  const isApart = hasOwnKernel(setting)
  const notes = [
    'Sandboxes are Pods on the node of this worker.',
    'What sandboxes write is looked at every few seconds, and nobody here counts their processes: the kubelet can (podPidsLimit).',
    isApart
      ? 'Commands call a kernel of their own, and not that of the node.'
      : 'Commands call the kernel of the node, filtered. With gVisor (RUNWRIGHT_SANDBOX_RUNTIME, the name of a RuntimeClass) they call one of their own.',
  ]
  const status = (problems: string[]) => ({ isolated: problems.length === 0, problems, notes, enforcement })
  try {
    const sandbox = await local.create({ id, limits: probeLimits })
    return status(await lookInside(sandbox, { ...advice, hasOwnKernel: isApart }))
  } catch (error) {
    return status([asSentence(error instanceof Error ? error.message.trim() : String(error))])
  } finally {
    await local.remove(id).catch(() => {})
  }
}
