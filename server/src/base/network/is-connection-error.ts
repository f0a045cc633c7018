/**
 * PostgreSQL's classes for a connection that is gone, a server that goes or comes, what it has ended for taking or waiting too
 * long, one that takes no writes (a standby, or read-only), a full or failing disk; and Node's words for the first.
 */
const codes =
  /^(?:08...|57P0.|53300|53100|58030|57014|25006|25P03|ECONNRESET|ECONNREFUSED|ECONNABORTED|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/
const messages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable|Query read timeout/

/**
 * True when a statement was not, or may not have been, carried out for a reason that lies with the database and passes: it could
 * not be reached, or not in time, or does not write now.
 */
export function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: string }
  return codes.test(code ?? '') || messages.test(error.message)
}
