import type { SandboxProvider } from '#adapters/sandboxes/sandbox.ts'

type Probed = Awaited<ReturnType<SandboxProvider['probe']>>

/** What the sandboxes of a machine hold, a line each. */
export function describeSandbox(name: string, { isolated, enforcement, problems, notes }: Probed): string[] {
  return [
    `Sandbox (${name}): ${isolated ? 'isolated' : 'NOT isolated'}; its limits are held`,
    ...Object.entries(enforcement).map(([limit, how]) => `  ${limit}: ${how}`),
    ...problems.map((problem) => `  problem: ${problem}`),
    ...notes.map((note) => `  note: ${note}`),
  ]
}
