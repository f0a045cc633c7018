/** Calls to a Kubernetes API server, and what they fail with, in words for an operator. */
import type { ApiException } from '@kubernetes/client-node'

const COMPLAINT_CHARACTERS_MAX = 1_000
const HTTP_FORBIDDEN = 403
const HTTP_NONE = 404
const HTTP_CONFLICT = 409

/** `what`: the right that it takes, such as `create pods`. */
export type ClusterCall = <T>(what: string, answer: Promise<T>) => Promise<T>

type ClusterError = Error & { statusCode?: number }
type Server = { server: string; namespace: string }

export const openCall =
  (server: Server): ClusterCall =>
  (what, answer) =>
    answer.catch((error: unknown) => {
      throw explain(error, { what, ...server })
    })

export const ifNone = <T>(instead: T) => ifStatus(HTTP_NONE, instead)
export const ifThere = <T>(instead: T) => ifStatus(HTTP_CONFLICT, instead)
export const ifForbidden = <T>(instead: T) => ifStatus(HTTP_FORBIDDEN, instead)

function ifStatus<T>(status: number, instead: T): (error: ClusterError) => T {
  return (error) => {
    if (error.statusCode === status) return instead
    throw error
  }
}

function explain(error: unknown, { what, server, namespace }: Server & { what: string }): Error {
  const { code, body } = error as Partial<ApiException<unknown>>
  if (typeof code !== 'number') {
    const cause = (error as { cause?: Error }).cause ?? (error as Error)
    return new Error(`The Kubernetes API server at ${server} does not answer: ${cause.message}.`, { cause: error })
  }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const message = readMessage(text) ?? text
  const complaint = message.trim().slice(0, COMPLAINT_CHARACTERS_MAX)
  const advice =
    code === HTTP_FORBIDDEN
      ? ` Give the worker's service account the right to ${what} in the namespace ${namespace}.`
      : ''
  return Object.assign(new Error(`The cluster refused to ${what}: ${complaint}${advice}`, { cause: error }), {
    statusCode: code,
  })
}

function readMessage(text: string): string | undefined {
  try {
    return (JSON.parse(text) as { message?: string }).message
  } catch {
    return undefined
  }
}
