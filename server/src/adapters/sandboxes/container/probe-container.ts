import type { LocalProvider } from '#adapters/sandboxes/local-provider.ts'
import { lookFromOutside } from '#adapters/sandboxes/look-from-outside.ts'
import { lookInside, probeLimits, type InsideAdvice } from '#adapters/sandboxes/look-inside.ts'
import { asSentence } from '#adapters/sandboxes/probe-bubblewrap.ts'
import { newProbeId } from '#adapters/sandboxes/probe-id.ts'
import type { SandboxStatus } from '#adapters/sandboxes/sandbox.ts'
import { hasOwnKernel } from './enforcement-of.ts'
import type { EngineFacts } from './engine.ts'
import { otherRuntimeProblem, type ContainerSetting } from './launch-container.ts'

const advice: InsideAdvice = {
  rights: 'use another runtime of containers (RUNWRIGHT_SANDBOX_RUNTIME), such as runc.',
  programs: 'put it into the image (RUNWRIGHT_SANDBOX_IMAGE).',
}

/** Starts a container and judges it, from inside and from this machine's side. */
export async function probeContainer(setting: ContainerSetting, local: LocalProvider): Promise<SandboxStatus> {
  const { engine } = setting
  const id = newProbeId()
  let notes: string[] = []
  const status = (problems: string[]): SandboxStatus => ({
    isolated: problems.length === 0,
    problems,
    notes,
    enforcement: setting.enforcement,
  })
  try {
    const facts = await engine.facts({ anew: true })
    notes = [`The engine is ${facts.name}${facts.isRootless ? ', without root' : ''}.`]
    const unfit = unfitFor(facts, setting)
    if (unfit.length > 0) return status(unfit)
    const isApart = hasOwnKernel({ facts, runtime: engine.options.runtime })
    const sandbox = await local.create({ id, limits: probeLimits })
    const problems = [
      ...(await lookInside(sandbox, { ...advice, hasOwnKernel: isApart })),
      // Where the engine runs on another side of a boundary, its processes cannot be seen; and a kernel of their own is
      // another user than the commands that it runs.
      ...((!isApart && lookFromOutside(setting, id)) || []),
    ]
    notes.push(...notesOn(setting, { isApart }))
    return status(problems)
  } catch (error) {
    const message = error instanceof Error ? error.message.trim() : String(error)
    return status([asSentence(message)])
  } finally {
    await local.remove(id).catch(() => {})
  }
}

function unfitFor(facts: EngineFacts, { owner, engine }: ContainerSetting): string[] {
  const { runtime } = engine.options
  const problems: string[] = []
  if (facts.isRootless && owner)
    problems.push(
      'The service is root and its container engine is not: run both as one user, or name the socket of the engine of root in RUNWRIGHT_SANDBOX_ENGINE.',
    )
  if (facts.isRootless && !facts.isPodman)
    problems.push('Docker without root cannot show files to the user that owns them: use Podman, or Docker with root.')
  if (facts.storageDriver === 'vfs')
    problems.push(
      'The container engine copies the whole image for each container (storage driver vfs): set its storage driver to overlay.',
    )
  const otherRuntime = otherRuntimeProblem(facts, runtime)
  if (otherRuntime !== null) problems.push(otherRuntime)
  if (runtime !== null && !facts.isPodman && facts.runtimes.length > 0 && !facts.runtimes.includes(runtime))
    problems.push(
      `The container engine knows no runtime ${runtime}, only ${facts.runtimes.join(', ')}: correct RUNWRIGHT_SANDBOX_RUNTIME, or add it to the engine's settings.`,
    )
  return problems
}

function notesOn({ enforcement }: ContainerSetting, { isApart }: { isApart: boolean }): string[] {
  const notes = ['What sandboxes write is looked at every few seconds.']
  if (isApart) notes.push('Commands call a kernel of their own, and not that of this machine.')
  else
    notes.push(
      'Commands call the kernel of this machine, filtered. With gVisor (RUNWRIGHT_SANDBOX_RUNTIME=runsc) they call one of their own.',
    )
  if (enforcement.memory !== 'kernel')
    notes.push(
      'The engine holds no limit of memory here: use one that runs as root, or control groups of version 2 that are delegated to its user.',
    )
  if (enforcement.processes === 'none') notes.push('Nobody counts processes here.')
  return notes
}
