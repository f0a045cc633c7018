import { quoteWord } from '#base/quote-word.ts'
import type { Sandbox } from './sandbox.ts'

/**
 * A shell that waits to be told which bait it is, and is it from then on, as the program is that holds it in other sandboxes. It is
 * started ahead, because it takes the agent longer to start a program than a program to become another one. What it says is said once the
 * bait can be found.
 */
const script = `read -r -d "" told && eval "$told" && exec sh -c 'echo laid; exec sleep infinity'`

export type WarmBait = {
  /** Resolves when whoever looks finds it. None where there are no variables. */
  lay(variables: Record<string, string>): Promise<void>
}

/** `waitMs` is for how long it may wait. The sandbox counts it as a command, so it ends with no other one. */
export function openWarmBait(sandbox: Sandbox, { waitMs }: { waitMs: number }): WarmBait {
  const laid = Promise.withResolvers<void>()
  const argv = ['bash', '-c', script]
  const shell = sandbox.exec({ argv, cwd: '/', interactive: true, timeoutMs: waitMs, onOutput: () => laid.resolve() })
  return {
    lay: async (variables) => {
      const entries = Object.entries(variables)
      const lines = entries.map(([name, value]) => `export ${name}=${quoteWord(value)}`)
      shell.write(`${entries.length > 0 ? lines.join('\n') : 'exit'}\0`)
      if (entries.length > 0) await laid.promise
    },
  }
}
