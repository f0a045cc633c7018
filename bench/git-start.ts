// A short git command in a shell that waits for it, as the service runs most of them, against one that this process starts
// itself. It has as much in memory as a worker in use, which is what starting a program costs it.
import { runShortGit, startGit } from '../server/src/adapters/codehosts/local/start-git.ts'
import { middle } from './percentile.ts'

const rounds = 100
const memoryBytes = 150 * 2 ** 20
const request = { arguments: ['--version'], timeoutMs: 60_000 }

/** Lines of the report. */
export async function benchGitStart(): Promise<string[]> {
  // Written to, so that it is not the kernel's page of zeros.
  const held = Buffer.alloc(memoryBytes, 1)
  const [shell, direct] = [measured(), measured()]
  for (let round = 0; round < rounds; round++) {
    await shell.time(() => runShortGit({ ...request, input: '', outputBytesMax: 1_000 }))
    await direct.time(async () => {
      const git = startGit(request)
      git.stdin.end()
      git.stdout.resume()
      return git.ended
    })
  }
  const row = (what: string, ours: number[], control: number[]) =>
    `| a short git command, ${what} | ${middle(ours).toFixed(2)} ms | ${middle(control).toFixed(2)} ms | ${(middle(ours) / middle(control)).toFixed(2)}x | < 1x |`
  return [
    `| What, in a process of ${Math.round(held.length / 2 ** 20)} MiB | ours | control: started by the process itself | ours against control | wanted |`,
    '|---|---|---|---|---|',
    row('until it has ended, p50', shell.times, direct.times),
    row("of the process's own processor time, p50", shell.cpu, direct.cpu),
    '',
  ]
}

function measured() {
  const [times, cpu]: [number[], number[]] = [[], []]
  const time = async (work: () => Promise<unknown>) => {
    const [begun, used] = [performance.now(), process.cpuUsage()]
    await work()
    const { user, system } = process.cpuUsage(used)
    times.push(performance.now() - begun)
    cpu.push((user + system) / 1_000)
  }
  return { times, cpu, time }
}
