import { EngineError } from '#adapters/engines/engine.ts'
import { Bench, type BenchAnswer, type BenchJob } from './bench.ts'

/** A bench that is opened again when a candidate has taken it along, such as by using up the memory or by a signal to itself. */
export class LastingBench implements AsyncDisposable {
  readonly #open: () => Promise<Bench>
  #bench: Bench

  private constructor(open: () => Promise<Bench>, bench: Bench) {
    this.#open = open
    this.#bench = bench
  }

  static async open(...options: Parameters<typeof Bench.open>): Promise<LastingBench> {
    const open = () => Bench.open(...options)
    return new LastingBench(open, await open())
  }

  /** Null where it ended. */
  async run(job: BenchJob): Promise<BenchAnswer | null> {
    try {
      return await this.#bench.run(job)
    } catch (error) {
      if (!(error instanceof EngineError) || error.code !== 'engine_error') throw error
      await this.#bench[Symbol.asyncDispose]()
      this.#bench = await this.#open()
      return null
    }
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#bench[Symbol.asyncDispose]()
  }
}
