export const mcpLimits = {
  /** For a server on a host to say hello and name its tools. */
  connectMs: 15_000,
  /** One that starts in the sandbox may have to be fetched first. */
  startMs: 60_000,
  callMs: 120_000,
  /** Of what a server sends for one request. */
  answerBytesMax: 8 * 1024 * 1024,
  /** Of the same: each may be a message, and reading one costs more than its bytes say. */
  answerLinesMax: 10_000,
  /** Of the tools of one server. */
  toolsMax: 64,
  pagesMax: 10,
  /** As all providers of models take them. */
  toolNameCharactersMax: 64,
  descriptionCharactersMax: 1_000,
  /** Of one tool's arguments, as JSON. */
  schemaCharactersMax: 8_000,
  schemaDepthMax: 12,
  /** Of names, descriptions and arguments of all servers of a run. */
  offeredCharactersMax: 60_000,
  /** Of each end of a longer text. */
  sideCharactersMax: 8_000,
  imageBytesMax: 1024 * 1024,
  /** A connection is closed with its turn, and by then in any case. */
  lifetimeMs: 24 * 60 * 60_000,
}
