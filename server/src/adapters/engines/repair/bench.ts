import { randomUUID } from 'node:crypto'
import type { Exec, Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { EngineError } from '#adapters/engines/engine.ts'
import { languages } from './languages.ts'
import { toolFolder } from './run-command.ts'
import type { Suite, TestResult } from './suite.ts'

const MARK = '@runwright '
const BENCH_MS = 60 * 60_000

/** A job ends with the first test that fails or does not end, with the first that does not end, or when all have run. */
export type StopsAt = 'failure' | 'hang' | 'end'

export type BenchJob = {
  /** `names` null for all tests of the file. Paths relative to the workspace. */
  files: { file: string; names: string[] | null }[]
  candidate: { file: string; source: string } | null
  isCovering: boolean
  stopsAt: StopsAt
  /** Limits as on an idle machine: the time that others have the cores does not count. `totalMs`, in Python, for each file. */
  testMs: number
  totalMs: number
}

export type BenchTest = TestResult & { lines?: Record<string, number[]> | null }
export type BenchAnswer = {
  tests: BenchTest[]
  /** By test file: what ran while it was loaded. */
  imported: Record<string, Record<string, number[]>>
  timedOut: boolean
  /** Python: the tests were not loaded anew for it. */
  isQuick?: boolean
}

/** A process in the sandbox that has everything loaded and runs tests with one candidate after another. */
export class Bench implements AsyncDisposable {
  readonly #workspace: string
  readonly #exec: Exec
  readonly #ended: Promise<never>
  #jobs = 0
  #rest = ''
  #answer: ((answer: BenchAnswer) => void) | undefined

  private constructor(sandbox: Sandbox, argv: string[], folder: string, signal: AbortSignal) {
    this.#workspace = sandbox.paths.workspace
    this.#exec = sandbox.exec({
      argv,
      cwd: folder ? `${this.#workspace}/${folder}` : this.#workspace,
      interactive: true,
      timeoutMs: BENCH_MS,
      outputBytesMax: 1,
      env: { CI: '1' },
      signal,
      onOutput: (stream, chunk) => stream === 'stdout' && this.#hear(Buffer.from(chunk).toString('latin1')),
    })
    this.#ended = this.#exec.result.then((result) => {
      signal.throwIfAborted()
      throw new EngineError('engine_error', `The test bench ended: ${result.reason}, exit code ${result.exitCode}.`)
    })
    this.#ended.catch(() => {})
  }

  static async open(sandbox: Sandbox, suite: Suite, files: string[], signal: AbortSignal): Promise<Bench> {
    const tools = toolFolder(sandbox)
    const { workspace, nodeFolder } = sandbox.paths
    const config = {
      workspace,
      folder: suite.folder ? `${workspace}/${suite.folder}` : workspace,
      runner: suite.runner,
      command: suite.command,
      files: files.map((file) => `${workspace}/${file}`),
      usesPytest: suite.runner === 'pytest',
      standIn: `${tools}/node-stand-in.cjs`,
      worker: `${tools}/node-bench-worker.mjs`,
    }
    const file = `${tools}/bench-${randomUUID()}.json`
    await sandbox.writeFile(file, Buffer.from(JSON.stringify(config)))
    const argv = languages[suite.language].bench({ tools, nodeFolder, python: suite.python })
    return new Bench(sandbox, [...argv, file], suite.folder, signal)
  }

  /** One at a time. */
  async run(job: BenchJob): Promise<BenchAnswer> {
    const command = {
      ...job,
      id: ++this.#jobs,
      files: job.files.map(({ file, names }) => ({ file: `${this.#workspace}/${file}`, names })),
      sources: job.candidate ? { [`${this.#workspace}/${job.candidate.file}`]: job.candidate.source } : null,
    }
    const answered = new Promise<BenchAnswer>((resolve) => (this.#answer = resolve))
    this.#exec.write(`${JSON.stringify(command)}\n`)
    return Promise.race([answered, this.#ended])
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#exec.kill()
    await this.#exec.result
  }

  /** Answers come in pieces; as latin1, so that no character is cut in two before its line is whole. */
  #hear(piece: string): void {
    this.#rest += piece
    const lines = this.#rest.split('\n')
    this.#rest = lines.pop() ?? ''
    for (const line of lines) {
      if (!line.startsWith(MARK)) continue
      const text = Buffer.from(line.slice(MARK.length), 'latin1').toString('utf8')
      this.#answer?.(JSON.parse(text) as BenchAnswer)
    }
  }
}
