/** Entries that follow each other. */
export type PieceRange = { runId: number; firstSeq: number; lastSeq: number }

/** PostgreSQL holds no NUL in a text, so that it stands between the parts of a piece: its head, then time, type and body of each entry. */
export const pieceSeparator = '\0'

/** What a piece of an archived log begins with: the bytes of another run or another place in its log are others. */
export function headOfPiece({ runId, firstSeq, lastSeq }: PieceRange): string {
  return JSON.stringify({ format: 'runwright-log', version: 1, run_id: runId, first_seq: firstSeq, last_seq: lastSeq })
}
