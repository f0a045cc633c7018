/**
 * A container engine for tests: Podman of this machine, with a storage of its own and an image made here, so that no
 * registry is asked. Storage and image are kept from one run of the tests to the next.
 */
import { execFile, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { until } from '#test/test-sandboxes.ts'

const run = promisify(execFile)

const packages = ['bubblewrap', 'ca-certificates', 'curl', 'git', 'iproute2', 'perl', 'procps', 'python3']
const image = 'runwright-test:latest'
const START_MS_MAX = 60_000
/** It ends by itself after so long without anybody, whoever was killed. */
const IDLE_SECONDS = 300

export type ContainerEngine = {
  socket: string
  image: string
  pid: number
  /** With them the program `podman` works with the same storage by itself. */
  words: string[]
  stop(): void
}

type StartEngine = {
  runtime?: string
  /** That of an engine that was stopped. */
  socket?: string
}

/** The engine, or why there is none here. */
export async function startEngine({ runtime = 'runc', socket }: StartEngine = {}): Promise<ContainerEngine | string> {
  if (process.getuid?.() !== 0) return 'only root starts a container engine here'
  for (const program of ['podman', 'runc', 'mmdebstrap', runtime])
    if (!['/usr/bin', '/usr/sbin'].some((folder) => existsSync(path.join(folder, program))))
      return `${program} is not installed`
  try {
    const storage = await prepareStorage()
    return await startService(storage, { runtime, socket })
  } catch (error) {
    return `Podman does not start here: ${(error as Error).message.slice(-500)}`
  }
}

/** One for each content of the image, made by whoever comes first. */
async function prepareStorage(): Promise<string> {
  const content = createHash('sha256').update(packages.join()).digest('hex').slice(0, 12)
  const folder = path.resolve(import.meta.dirname, '../../.data/test-engine', content)
  mkdirSync(folder, { recursive: true })
  const tar = path.join(folder, 'image.tar')
  const podman = `podman ${storageArguments(folder).join(' ')}`
  // It answers 1 where there is no such image; anything else is its own fault, for which none is made.
  const script = `${podman} image exists ${image}; code=$?; [ $code -eq 1 ] || exit $code
    [ -f ${tar} ] || { mmdebstrap --format=tar --variant=minbase --include=${packages.join()} bookworm ${tar}.new && mv ${tar}.new ${tar}; } || exit 1
    ${podman} import ${tar} ${image} && rm ${tar}`
  await run('flock', [path.join(folder, 'lock'), 'sh', '-c', script], { maxBuffer: 64 * 1024 * 1024 })
  return folder
}

function storageArguments(folder: string): string[] {
  // Podman takes a path of 50 characters at most for what it knows of what runs, and the same one for the same storage. A clone
  // may lie deeper, and temporary folders differ each time.
  const running = path.join('/run', `rw-engine-${createHash('sha256').update(folder).digest('hex').slice(0, 12)}`)
  return [
    '--storage-driver=overlay',
    `--root=${path.join(folder, 'root')}`,
    `--runroot=${path.join(running, 'run')}`,
    `--tmpdir=${path.join(running, 'tmp')}`,
    '--cgroup-manager=cgroupfs',
    '--events-backend=none',
  ]
}

type StartService = { runtime: string; socket: string | undefined }

async function startService(folder: string, { runtime, socket: earlier }: StartService): Promise<ContainerEngine> {
  const base = earlier ? path.dirname(earlier) : mkdtempSync(path.join(os.tmpdir(), 'engine-'))
  const [socket, log] = [path.join(base, 'podman.sock'), path.join(base, 'podman.log')]
  rmSync(socket, { force: true })
  const flags =
    runtime === 'runsc'
      ? ['platform=ptrace', 'network=none', 'ignore-cgroups', 'host-uds=open'].flatMap((flag) => [
          '--runtime-flag',
          flag,
        ])
      : []
  const words = ['--runtime', runtime, ...flags, ...storageArguments(folder), '--log-level', 'error']
  const service = spawn('podman', [...words, 'system', 'service', '--time', String(IDLE_SECONDS), `unix://${socket}`], {
    // Its monitors leave files where it was started.
    cwd: base,
    stdio: ['ignore', 'ignore', openSync(log, 'w')],
  })
  service.unref()
  const stop = () => void service.kill('SIGKILL')
  process.on('exit', stop)
  await until(
    () => {
      if (service.exitCode !== null) throw new Error(readFileSync(log, 'utf8'))
      return existsSync(socket)
    },
    'the container engine listens',
    START_MS_MAX,
  )
  return { socket, image, pid: service.pid!, words, stop }
}
