/** Bounds of what is shown of a run as it happens, and never stored. */
export const liveLimits = {
  /** What is shown of a tool's input, as JSON: with everything else it must fit into a notification. */
  toolInputBytesMax: 4_096,
  /** One text of it is not looked at any further than this. */
  toolTextCharactersMax: 64 * 1024,
  /** A text that is being written: how often a piece of it is sent, and how much of it in all. */
  textPieceMs: 50,
  textCharactersMax: 64 * 1024,
  /** In one piece, of which escapes may make six times as many bytes. */
  pieceCharactersMax: 1_200,
  /** Who has missed pieces gets the end of the text again, this often. */
  textAgainMs: 1_000,
  /** Whoever follows a run late finds the tool at work among so many of the newest steps. */
  stepsLookedAt: 4,
} as const
