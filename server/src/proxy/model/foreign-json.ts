import { OffProcess } from '#base/off-process/off-process.ts'
import { OffProcessLimit } from '#base/off-process/off-process-limit.ts'
import { modelLimits } from '#base/models/model-limits.ts'
import type { ForeignTask } from './foreign-json-tasks.ts'
import type { AnswerPart } from './read-answer.ts'
import type { PreparedCall, RawCall } from './prepare-call.ts'
import { CallRefused, type CallRefusal } from './refuse-call.ts'

export type From = { key: string; signal?: AbortSignal | undefined }

/** Reads what programs in sandboxes ask models, and large parts of what models answer, where it can keep nobody waiting. */
export class ForeignJson {
  readonly #helpers = new OffProcess<ForeignTask, { refusal: CallRefusal } | { done: unknown }>({
    script: new URL('./foreign-json-tasks.ts', import.meta.url),
    processesMax: modelLimits.modelReadersMax,
    memoryBytesMax: modelLimits.modelReaderBytesMax,
    timeMs: modelLimits.modelReadMs,
    waitingPerKeyMax: modelLimits.modelReadsWaitingMax,
  })

  /** Throws `CallRefused`. */
  async prepareCall(call: RawCall, from: From): Promise<PreparedCall> {
    return (await this.#run({ kind: 'call', call }, from)) as PreparedCall
  }

  /** Undefined where it cannot be read. */
  async readAnswer(
    part: Omit<Extract<ForeignTask, { kind: 'answer' }>, 'kind'>,
    from: From,
  ): Promise<AnswerPart | undefined> {
    return (await this.#run({ kind: 'answer', ...part }, from).catch((error: unknown) => {
      if (error instanceof CallRefused) return undefined
      throw error
    })) as AnswerPart | undefined
  }

  async #run(task: ForeignTask, from: From): Promise<unknown> {
    try {
      const answer = await this.#helpers.run(task, from)
      if ('refusal' in answer) throw new CallRefused(answer.refusal)
      return answer.done
    } catch (error) {
      throw error instanceof OffProcessLimit ? limitReached(error) : error
    }
  }
}

function limitReached(cause: OffProcessLimit): CallRefused {
  if (cause.limit === 'queue') {
    const message = 'Too many requests at once. Send one after the other.'
    return new CallRefused({ status: 429, code: 'rate_limit_error', message }, { cause })
  }
  const message = 'The body takes too much to read. Send a smaller one.'
  return new CallRefused({ status: 413, code: 'request_too_large', message }, { cause })
}
