import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { pathsInside, proxyUrlInside } from '#adapters/sandboxes/bubblewrap-arguments.ts'
import type { Launched } from '#adapters/sandboxes/local-launch.ts'
import type { SandboxProcesses } from '#adapters/sandboxes/local-sandbox.ts'
import { endRecorded, killRecorded, recordOf, removeRecords, writeRecords } from '#adapters/sandboxes/process-record.ts'
import { userOf } from '#adapters/sandboxes/owner-for.ts'
import type { SandboxFiles, SandboxOwner } from '#adapters/sandboxes/sandbox-files.ts'
import type { CreateSandbox } from '#adapters/sandboxes/sandbox.ts'
import type { EnforcementReport } from '#base/enforcement.ts'
import { containerOptions, systemFilesOf, type Hardening } from './container-options.ts'
import { labelsOf } from './container-labels.ts'
import { enforcementOf, hasOwnKernel } from './enforcement-of.ts'
import type { Engine, EngineFacts, StartedContainer } from './engine.ts'
import { findGroup, type FoundGroup } from './find-group.ts'
import { findPrograms } from './find-programs.ts'
import { loaderOf } from './loader-of.ts'
import { seccompProfile } from './seccomp-profile.ts'
import { writeOnce } from './write-once.ts'
import { writeSystemFiles } from './write-system-files.ts'

export type ContainerSetting = {
  folder: string
  engine: Engine
  owner: SandboxOwner
  /** Ids of the containers that this process has started and not yet removed. */
  held: Set<string>
  /** What was last found to hold. */
  enforcement: EnforcementReport
}

/** Starts a container with the exec agent in it. */
export async function launchContainer(
  setting: ContainerSetting,
  files: SandboxFiles,
  spec: CreateSandbox,
): Promise<Launched> {
  const { engine, folder, held } = setting
  const hardening = await hardeningOf(setting)
  const image = await engine.image()
  const own = findPrograms(folder)
  const paths = pathsInside(spec.mounts ?? {}, { hasRipgrep: own.ripgrep !== null })
  const programs = {
    ...own,
    loader: await loaderOf({ folder, engine, hardening, image }),
    system: writeSystemFiles(files, systemFilesOf({ ...hardening, spec })),
  }
  const started = await engine.start(
    containerOptions({
      ...hardening,
      name: `runwright-${files.id}-${randomUUID().slice(0, 8)}`,
      labels: labelsOf({ folder, id: files.id, lifetimeMs: spec.limits.lifetimeMs }),
      image,
      files,
      paths,
      spec,
      programs,
    }),
  )
  held.add(started.id)
  try {
    const { pid } = await engine.inspect(started.id)
    const group = pid === null ? null : findGroup(pid, started.id)
    setting.enforcement = enforcementOf({ ...hardening, group, limits: spec.limits })
    const firstPid = group === null ? null : pid
    const at = { records: files.records }
    return {
      processes: watchContainer(setting, at, { started, firstPid, group }),
      paths,
      enforcement: setting.enforcement,
      proxyUrl: spec.network ? proxyUrlInside : null,
      canLookOnly: true,
      // What a kernel of their own holds is not what the commands hold, and its memory is a file that was deleted.
      firstPid: () => (hasOwnKernel(hardening) ? null : firstPid),
      onMoved: ({ records }) => (at.records = records),
    }
  } catch (error) {
    await engine.remove(started.id).catch(() => {})
    held.delete(started.id)
    throw error
  }
}

/** What differs between containers that are started now and then. */
export async function containerKind(setting: ContainerSetting): Promise<string> {
  const [{ runtime, facts, seccomp }, image] = await Promise.all([hardeningOf(setting), setting.engine.image()])
  return JSON.stringify([image, runtime, facts.name, facts.isRootless, seccomp])
}

/** Podman takes a container's runtime from its own settings alone, so another one that is asked for would not be used. */
export function otherRuntimeProblem({ isPodman, defaultRuntime }: EngineFacts, required: string | null): string | null {
  if (!isPodman || required === null || path.basename(defaultRuntime ?? '') === required) return null
  return `Podman starts containers by ${defaultRuntime ?? 'a runtime that it does not name'}, and RUNWRIGHT_SANDBOX_RUNTIME is ${required}: set \`runtime = "${required}"\` in its containers.conf.`
}

async function hardeningOf({ engine, folder, owner, enforcement }: ContainerSetting): Promise<Hardening> {
  const facts = await engine.facts()
  const otherRuntime = otherRuntimeProblem(facts, engine.options.runtime)
  if (otherRuntime !== null) throw new Error(otherRuntime)
  const user = userOf(owner)
  if (user.uid === 0) throw new TypeError('sandboxes must not run as user 0')
  const rules = seccompProfile({ limitsSegments: enforcement.memory === 'polled' })
  const seccomp = facts.isPodman ? writeOnce(path.join(folder, '.seccomp.json'), rules) : rules
  return { user, facts, seccomp, runtime: engine.options.runtime }
}

type Watch = { started: StartedContainer; firstPid: number | null; group: FoundGroup | null }

function watchContainer(
  { engine, held }: ContainerSetting,
  at: Pick<SandboxFiles, 'records'>,
  { started: { id, main }, firstPid, group }: Watch,
): SandboxProcesses {
  const records = firstPid === null ? [] : [recordOf(firstPid)]
  if (records.length > 0) writeRecords(at.records, records)
  let removing: Promise<boolean> | undefined
  const remove = () =>
    (removing ??= engine.remove(id).then(
      () => true,
      () => false,
    ))
  // The kernel ends all others with the first process of their namespace. The engine is told as well: where it runs on
  // another side of a boundary, or belongs to another user, it alone can.
  const kill = () => {
    records.forEach(killRecorded)
    void remove()
  }
  return {
    main,
    end: kill,
    kill,
    gone: async () => {
      const ended = await Promise.all(records.map(endRecorded))
      const isRemoved = await remove()
      held.delete(id)
      // What the engine still lists but has no process is removed by whoever lists next.
      if (ended.includes(false) || (records.length === 0 && !isRemoved)) return false
      removeRecords(at.records, records)
      return true
    },
    outOfMemoryKills: () => group?.outOfMemoryKills() ?? 0,
  }
}
