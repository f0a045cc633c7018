import type { JsonObject } from '#base/json.ts'

/** A tool at work, as those who follow its run are shown it: masked and cut. */
export type ToolShown = { toolName: string; toolInput: JsonObject; isCut: boolean; startedAt: string }

/** Where in a run something is shown: of which step, and after which log entry. */
export type LivePlace = { runId: number; step: number; turn: number; afterSeq: number }

export type LiveTool = LivePlace & ToolShown & { endedAt: string | null }

/** A part of a text that is being written; `at` counts UTF-16 units of the text before it. */
export type LiveText = LivePlace & { kind: TextKind; at: number; text: string; isDone: boolean }

export type TextKind = 'thought' | 'answer'

/** `afterSeq` of what has ended is the last of its own entries. */
export type Live = ({ type: 'tool' } & LiveTool) | ({ type: 'text' } & LiveText)

/** The text with a piece put where it belongs: the same piece twice changes nothing. A gap before it begins it anew. */
export function withPiece(known: LiveText | undefined, piece: LiveText): LiveText {
  const isSame = known?.step === piece.step && known.kind === piece.kind
  if (!isSame || piece.at < known.at || piece.at > known.at + known.text.length) return piece
  return { ...piece, at: known.at, text: known.text.slice(0, piece.at - known.at) + piece.text }
}
