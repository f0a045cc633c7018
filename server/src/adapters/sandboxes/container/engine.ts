/** A container engine, Docker or Podman, over its socket. What it answers is checked; what fails is said for an operator. */
import { existsSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import type Docker from 'dockerode'
import { attachTo, type AttachedProcess } from './attach-to.ts'

/** Creating a container takes a second; removing one whose processes wait for a disk takes longer. */
const CALL_MS_MAX = 30_000
const REMOVE_MS_MAX = 10_000
const REMOVE_PAUSE_MS = 100
const COMPLAINT_CHARACTERS_MAX = 1_000

export type EngineOptions = {
  /** Null: the first that is there. */
  socket: string | null
  image: string | null
  /** As the engine calls it: `runc`, `crun`, `runsc`. Null: the engine's own choice. */
  runtime: string | null
}

/** What the engine says of itself. */
export type EngineFacts = {
  /** `Podman 4.3.1`. */
  name: string
  isPodman: boolean
  isRootless: boolean
  storageDriver: string
  cgroupVersion: string
  /** By name; empty where it does not say. */
  runtimes: string[]
  /** By name or path; null where it does not say. */
  defaultRuntime: string | null
  holds: { memory: boolean; cpu: boolean; processes: boolean }
}

export type Image = { name: string; id: string; environment: Record<string, string> }
export type StartedContainer = { id: string; main: AttachedProcess }
export type ListedContainer = { id: string; labels: Record<string, string>; hasEnded: boolean }
export type InspectedContainer = { pid: number | null }

export type Engine = {
  readonly options: EngineOptions
  /** As it said them last, unless they are asked for anew: Podman takes seconds to gather them. */
  facts(options?: { anew: boolean }): Promise<EngineFacts>
  /** Rejects where the engine has none. */
  image(): Promise<Image>
  /** Attached before it is started, so that nothing that it says is lost. Rejects with nothing left behind. */
  start(options: Docker.ContainerCreateOptions): Promise<StartedContainer>
  inspect(id: string): Promise<InspectedContainer>
  list(labels: Record<string, string>): Promise<ListedContainer[]>
  /** Kills what runs in it. Resolves when the engine has none of this id any more. */
  remove(id: string): Promise<void>
}

/** Where engines listen. Podman of the service's own user comes first: its socket gives no rights of root. */
export function findSocket(uid = process.getuid?.() ?? 0): string | null {
  const own = uid === 0 ? [] : [`/run/user/${uid}/podman/podman.sock`]
  return [...own, '/run/podman/podman.sock', '/var/run/docker.sock'].find((file) => existsSync(file)) ?? null
}

export function openEngine(options: EngineOptions): Engine {
  const call = async <T>(what: (docker: Docker) => Promise<T>, timeout = CALL_MS_MAX): Promise<T> => {
    const socketPath = options.socket ?? findSocket()
    if (socketPath === null) throw new Error(noSocketProblem)
    // A large library, which most processes never use.
    const { default: Client } = await import('dockerode')
    return what(new Client({ socketPath, timeout })).catch((error: EngineError) => {
      throw explain(error, socketPath)
    })
  }
  const remove = async (id: string) => {
    const deadline = Date.now() + REMOVE_MS_MAX
    for (;;) {
      const error = await call((docker) => docker.getContainer(id).remove({ force: true, v: true })).then(
        () => null,
        (failure: EngineError) => failure,
      )
      if (error === null || error.statusCode === 404) return
      // Somebody else removes it at this moment, or the engine is not done with starting it.
      if (error.statusCode === undefined || Date.now() > deadline) throw error
      await delay(REMOVE_PAUSE_MS)
    }
  }
  let known: Promise<EngineFacts> | undefined
  const facts = ({ anew } = { anew: false }) => {
    if (anew) known = undefined
    known ??= call(readFacts).catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
  return {
    options,
    facts,
    image: () => call((docker) => readImage(docker, options.image)),
    start: async (create) => {
      const { id } = await call((docker) => docker.createContainer(create))
      try {
        // Without a time limit: it is idle for as long as the sandbox is.
        const main = await call((docker) => attachTo(docker, id), 0)
        await call((docker) => docker.getContainer(id).start())
        return { id, main }
      } catch (error) {
        await remove(id).catch(() => {})
        throw error
      }
    },
    inspect: (id) => call((docker) => inspect(docker, id)),
    list: (labels) => call((docker) => list(docker, labels)),
    remove,
  }
}

/** As the library makes it: of an answer, or of a connection that failed. */
type EngineError = Error & { statusCode?: number; code?: string; json?: unknown }

const settings = 'RUNWRIGHT_SANDBOX_ENGINE'
const noSocketProblem = `No container engine was found: start Podman's service (\`systemctl enable --now podman.socket\`) or Docker, or name its socket in ${settings}.`

function explain(error: EngineError, socket: string): Error {
  const problem = byCode(error.code, socket)
  if (problem) return new Error(problem, { cause: error })
  if (error.statusCode === undefined)
    return new Error(`The container engine at ${socket} does not answer: ${error.message}.`, { cause: error })
  const { message } = (error.json ?? {}) as { message?: string }
  const what = (message ?? error.message).trim().slice(0, COMPLAINT_CHARACTERS_MAX)
  return Object.assign(new Error(`The container engine refused: ${what}`, { cause: error }), {
    statusCode: error.statusCode,
  })
}

function byCode(code: string | undefined, socket: string): string | null {
  if (code === 'ENOENT') return `There is no socket at ${socket}: start the container engine, or correct ${settings}.`
  if (code === 'ECONNREFUSED')
    return `Nobody listens at ${socket}: start the container engine, for example by \`systemctl start podman.socket\`.`
  if (code === 'EACCES' || code === 'EPERM')
    return `The service may not use ${socket}: run it as the user whose Podman that is, or give its user the right (for Docker, the group docker, which is as good as root).`
  return null
}

async function readFacts(docker: Docker): Promise<EngineFacts> {
  type Info = {
    SecurityOptions?: string[]
    Driver?: string
    CgroupVersion?: string
    Runtimes?: Record<string, unknown>
    DefaultRuntime?: string
    Rootless?: boolean
    MemoryLimit?: boolean
    CPUShares?: boolean
    CpuShares?: boolean
    PidsLimit?: boolean
  }
  const [info, version] = await Promise.all([docker.info() as Promise<Info>, docker.version()])
  const components = (version as { Components?: { Name?: string }[] }).Components ?? []
  const isPodman = components.some(({ Name }) => /podman/i.test(Name ?? ''))
  return {
    name: `${isPodman ? 'Podman' : 'Docker'} ${version.Version}`,
    isPodman,
    // Docker says it among its options, Podman beside them.
    isRootless: info.Rootless === true || (info.SecurityOptions ?? []).some((option) => option.includes('rootless')),
    storageDriver: info.Driver ?? '',
    cgroupVersion: info.CgroupVersion ?? '',
    runtimes: Object.keys(info.Runtimes ?? {}),
    defaultRuntime: info.DefaultRuntime ?? null,
    holds: {
      memory: info.MemoryLimit === true,
      cpu: (info.CPUShares ?? info.CpuShares) === true,
      processes: info.PidsLimit === true,
    },
  }
}

async function readImage(docker: Docker, name: string | null): Promise<Image> {
  if (name === null)
    throw new Error(
      'No image is named in which agents work: set RUNWRIGHT_SANDBOX_IMAGE to one that has bash, git and what your repositories need, as docs/sandboxes.md shows.',
    )
  const found = await docker
    .getImage(name)
    .inspect()
    .catch((error: EngineError) => {
      if (error.statusCode !== 404) throw error
      throw new Error(
        `The container engine has no image ${name}: pull or build it there, or correct RUNWRIGHT_SANDBOX_IMAGE.`,
        { cause: error },
      )
    })
  const environment = (found.Config.Env ?? []).map((line) => [
    line.slice(0, line.indexOf('=')),
    line.slice(line.indexOf('=') + 1),
  ])
  return { name, id: found.Id, environment: Object.fromEntries(environment) as Record<string, string> }
}

async function inspect(docker: Docker, id: string): Promise<InspectedContainer> {
  const found = await docker.getContainer(id).inspect()
  return { pid: found.State.Pid > 0 ? found.State.Pid : null }
}

async function list(docker: Docker, labels: Record<string, string>): Promise<ListedContainer[]> {
  const label = Object.entries(labels).map(([name, value]) => `${name}=${value}`)
  const found = await docker.listContainers({ all: true, filters: { label } })
  return found.map(({ Id, Labels, State }) => ({
    id: Id,
    labels: Labels,
    hasEnded: ['exited', 'dead', 'stopped'].includes(State),
  }))
}
