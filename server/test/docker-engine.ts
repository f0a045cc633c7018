/** Docker's daemon for tests: that of Debian's package, with a storage of its own that is gone with it, and the image of the other engine. */
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { finished } from 'node:stream/promises'
import Docker from 'dockerode'
import { type ContainerEngine, startEngine } from '#test/container-engine.ts'
import { until } from '#test/test-sandboxes.ts'

export type DockerEngine = Pick<ContainerEngine, 'socket' | 'image'> & { stop(): Promise<void> }

const START_MS_MAX = 60_000
/** Where bin/setup.sh unpacks it. */
const unpacked = path.resolve(import.meta.dirname, '../../.data/test-docker')

/** The engine, or why there is none here. */
export async function startDocker(): Promise<DockerEngine | string> {
  const programs = [path.join(unpacked, 'usr/bin'), path.join(unpacked, 'usr/sbin'), '/usr/bin', '/usr/sbin']
  if (!programs.some((folder) => existsSync(path.join(folder, 'dockerd')))) return 'Docker is not here'
  const other = await startEngine()
  if (typeof other === 'string') return other
  // Short, as what it makes there are sockets; and of this machine's own, as an overlay on an overlay is refused.
  const running = mkdtempSync('/run/rw-docker-')
  const storage = path.join(unpacked, `storage-${path.basename(running)}`)
  mkdirSync(storage, { recursive: true })
  const [socket, log] = [path.join(running, 'docker.sock'), path.join(running, 'log')]
  const words = [
    `--host=unix://${socket}`,
    `--data-root=${storage}`,
    `--exec-root=${path.join(running, 'exec')}`,
    `--pidfile=${path.join(running, 'pid')}`,
    // It changes nothing of the machine's network.
    '--bridge=none',
    '--iptables=false',
    '--ip6tables=false',
  ]
  // It ends with this process, however that ends: the pipe is closed then.
  const script = `dockerd "$@" <&- >${log} 2>&1 & cat >/dev/null; kill $!; wait; rm -rf ${storage} ${running}`
  const daemon = spawn('sh', ['-c', script, 'sh', ...words], {
    env: { ...process.env, PATH: programs.join(':') },
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  daemon.unref()
  daemon.stdin.on('error', () => {})
  const stop = async () => {
    daemon.stdin.destroy()
    await until(() => daemon.exitCode !== null, 'Docker has ended')
  }
  const docker = new Docker({ socketPath: socket })
  try {
    await until(() => docker.ping().then(Boolean, () => false), 'Docker answers', START_MS_MAX)
    const image = await new Docker({ socketPath: other.socket }).getImage(other.image).get()
    const loading = await docker.loadImage(image)
    await finished(loading.resume())
    const [loaded] = await docker.listImages()
    return { socket, image: loaded!.RepoTags![0]!, stop }
  } catch (error) {
    const logged = existsSync(log) ? readFileSync(log, 'utf8').slice(-500) : ''
    await stop()
    return `Docker does not start here: ${(error as Error).message} ${logged}`
  } finally {
    other.stop()
  }
}
