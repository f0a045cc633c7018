/**
 * PostgreSQL's classes for a connection that is gone, a server that goes, and what it has ended for taking or waiting too
 * long, and Node's words for the same.
 */
const codes = /^(08|57P0|53300|57014|25P03)|^(ECONNRESET|ECONNREFUSED|EPIPE|ETIMEDOUT|ENOTFOUND)$/
const messages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|Query read timeout/

/** True when a statement may or may not have been carried out, because the database could not be reached, or in time. */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: string }
  return codes.test(code ?? '') || messages.test(error.message)
}
