import type { Sandbox, SandboxLimits } from './sandbox.ts'

export const probeLimits: SandboxLimits = {
  memoryBytes: 512 * 1024 * 1024,
  processes: 64,
  diskBytes: 64 * 1024 * 1024,
  lifetimeMs: 60_000,
}
const COMMAND_MS = 10_000
const MANY_PROCESSES = 20

/** What to do where something does not hold. */
export type InsideAdvice = {
  rights: string
  programs: string
  /** It tells other things of a process than the kernel of this machine, and needs no filter before it. */
  hasOwnKernel?: boolean
  /** It has an interface to a network, which whoever made it has seen closed. */
  hasForbiddenNetwork?: boolean
}

/** What is wrong with a sandbox, as a command in it sees it. */
export async function lookInside(sandbox: Sandbox, advice: InsideAdvice): Promise<string[]> {
  const script = `cat /proc/self/status; tail -n +3 /proc/net/dev | cut -d: -f1; ls /proc | grep -c '^[0-9]'
    (echo x > /proc/sys/kernel/core_pattern) 2>/dev/null && echo WRITABLE /proc/sys
    (touch /usr/bin/probe) 2>/dev/null && echo WRITABLE /usr
    git init -q /tmp/probe && git -C /tmp/probe commit -q --allow-empty -m probe && echo GIT WORKS`
  const { stdout, stderr, exitCode } = await sandbox.exec({ shell: script, timeoutMs: COMMAND_MS }).result
  const seen = stdout.toString()
  const problems: string[] = []
  const { hasOwnKernel = false, hasForbiddenNetwork = false } = advice
  const expect = (isAsExpected: boolean, problem: string) => {
    if (!isAsExpected) problems.push(problem)
  }
  expect(/^CapEff:\s+0{16}$/m.test(seen), `Commands in a sandbox keep capabilities: ${advice.rights}`)
  expect(hasOwnKernel || /^NoNewPrivs:\s+1$/m.test(seen), `Commands in a sandbox may gain rights: ${advice.rights}`)
  expect(
    hasOwnKernel || /^Seccomp:\s+2$/m.test(seen),
    'The kernel filters no system calls: it needs CONFIG_SECCOMP_FILTER.',
  )
  const hasOthers = !hasForbiddenNetwork && /^[ \t]*(?:eth|en|wl|docker|veth)\w+$/m.test(seen)
  expect(/^[ \t]*lo$/m.test(seen) && !hasOthers, 'A sandbox sees the network.')
  expect(Number(/^\d+$/m.exec(seen)?.[0] ?? MANY_PROCESSES) < MANY_PROCESSES, 'A sandbox sees foreign processes.')
  for (const [, place] of seen.matchAll(/^WRITABLE (.*)$/gm)) problems.push(`A sandbox can write to ${place}.`)
  if (exitCode !== 0 || !/^GIT WORKS$/m.test(seen))
    problems.push(`git does not work in a sandbox: ${advice.programs} ${stderr.toString().trim().slice(0, 200)}`)
  return problems
}
