import { AsyncLocalStorage } from 'node:async_hooks'
import { getGlobalDispatcher, type Dispatcher } from 'undici'

/** One request to a model, as the `fetch` under the provider's library sees it. */
export type Exchange = {
  /** The head of the answer came, or so many bytes of it: also those that say nothing, such as an SSE comment. */
  onBytes: (count: number) => void
  isStreamed: boolean
  /** An answer that is no stream though one was asked for: the next `fetchModel` gets it instead of asking. */
  plain?: Response | undefined
}

/** A server that answers in one piece. */
export class NotStreamed extends Error {
  override readonly name = 'NotStreamed'
}

const exchanges = new AsyncLocalStorage<Exchange>()

export function withExchange<T>(exchange: Exchange, act: () => Promise<T>): Promise<T> {
  return exchanges.run(exchange, act)
}

/** A `fetch` as the libraries of providers need it, over another one. It throws `NotStreamed`. */
export function fetchBy(send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const exchange = exchanges.getStore()
    if (!exchange) return send(input, init)
    const { plain } = exchange
    exchange.plain = undefined
    if (plain) return plain
    const answer = await send(input, init)
    exchange.onBytes(0)
    const heard = hear(answer, exchange)
    const isWhole = /json|html/i.test(answer.headers.get('content-type') ?? '')
    if (!exchange.isStreamed || !answer.ok || !isWhole) return heard
    exchange.plain = heard
    throw new NotStreamed('The server does not stream.')
  }
}

/** The `fetch` of the operator's providers. It waits as long as its signal lets it. */
export const fetchModel = fetchBy((input, init) => {
  // Node's own types name another version of the same.
  const dispatcher = patient() as unknown as NonNullable<RequestInit['dispatcher']>
  return fetch(input, { ...init, dispatcher })
})

function hear(answer: Response, { onBytes }: Exchange): Response {
  if (!answer.body) return answer
  const watch = new TransformStream<Uint8Array, Uint8Array>({
    transform(bytes, controller) {
      onBytes(bytes.byteLength)
      controller.enqueue(bytes)
    },
  })
  const { status, statusText, headers } = answer
  return new Response(answer.body.pipeThrough(watch), { status, statusText, headers })
}

let composed: { of: Dispatcher; patient: Dispatcher } | undefined

/** The process's own, without the 300 s after which Node gives up a body or a head. */
function patient(): Dispatcher {
  const of = getGlobalDispatcher()
  if (composed?.of !== of) {
    const timeless: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
      dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler)
    composed = { of, patient: of.compose(timeless) }
  }
  return composed.patient
}
