import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { describeListenError } from '../../server/src/process/describe-listen-error.ts'
import { requireFolder } from '../../server/src/process/require-folder.ts'

export type RunningService = {
  url: string
  adminToken: string
  /** The line that the service said when it was ready. */
  ready: string
  ended: Promise<void>
  stop(): Promise<void>
}

export type StartService = { root: string; dataDir: string; port: number }

const command = 'npm run demo'

/**
 * Starts the service as `npm start` does, in a process of its own. Where the usual port is taken it takes another, and says
 * so; one that somebody has chosen must be free. Throws a sentence that says what to type.
 */
export async function startService({ root, dataDir, port }: StartService): Promise<RunningService> {
  await requireFolder(dataDir, { command })
  const freePort = await choosePort(port)
  chmodSync(dataDir, 0o711)
  const adminToken = readOrMakeToken(path.join(dataDir, 'admin-token'))
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', path.join(root, 'server/src/main.ts')],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own: Ctrl-C reaches the demo, and the demo ends the service.
      detached: true,
      env: {
        RUNWRIGHT_LOG_LEVEL: 'warn',
        ...process.env,
        PORT: String(freePort),
        RUNWRIGHT_DATA_DIR: dataDir,
        RUNWRIGHT_ADMIN_TOKEN: adminToken,
      },
    },
  )
  let output = ''
  child.stderr.on('data', (chunk: Buffer) => {
    output = `${output}${chunk.toString()}`.slice(-4_000)
    if (process.env.RUNWRIGHT_LOG_LEVEL) process.stderr.write(chunk)
  })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const ready = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.includes(' is ready: ')) resolve(line)
    })
    void ended.then(() => reject(new Error(`Runwright did not start:\n${output}`)))
  })
  const stop = async () => {
    child.kill('SIGTERM')
    await ended
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void child.kill('SIGTERM'))
  return { url: / at (http\S+),/.exec(ready)?.[1] ?? '', adminToken, ready, ended, stop }
}

function readOrMakeToken(file: string): string {
  if (!existsSync(file)) {
    const text = randomBytes(32).toString('base64url')
    writeFileSync(file, `${text}\n`, { mode: 0o600 })
  }
  return readFileSync(file, 'utf8').trim()
}

async function choosePort(port: number): Promise<number> {
  const host = process.env.HOST ?? '127.0.0.1'
  const fault = await findListenFault({ port, host })
  if (!fault) return port
  const description = await describeListenError(fault, { port, host, command })
  if (process.env.PORT) throw description
  process.stdout.write(`${description.message} The demo takes any free port this time.\n`)
  return 0
}

function findListenFault(place: { port: number; host: string }): Promise<Error | undefined> {
  return new Promise((resolve) => {
    const probe = net.createServer()
    probe.once('error', resolve)
    probe.listen(place, () => probe.close(() => resolve(undefined)))
  })
}
