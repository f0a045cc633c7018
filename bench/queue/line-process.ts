import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'

/** A program of its own that is spoken with in lines. */
export type LineProcess = {
  /** Its next line; what it says besides is passed over. Rejects when it has ended. */
  read(isWanted?: (line: string) => boolean): Promise<string>
  write(line: string): void
}

export type StartLineProcess = { program: string; given: string[]; defer: (work: () => Promise<void>) => void }

export function startLineProcess({ program, given: options, defer }: StartLineProcess): LineProcess {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...options], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  defer(async () => {
    child.kill()
    await ended
  })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  return {
    read: async (isWanted = () => true) => {
      for (;;) {
        const { value, done } = await lines.next()
        if (done) throw new Error(`${program} has ended`)
        if (isWanted(value)) return value
      }
    },
    write: (line) => void child.stdin.write(`${line}\n`),
  }
}
