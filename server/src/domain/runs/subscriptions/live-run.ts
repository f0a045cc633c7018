import type { LiveText, LiveTool } from '#domain/runs/logs/live.ts'
import { withPiece } from '#domain/runs/logs/live.ts'

/** Readers who are further behind get the whole text again. */
const piecesKeptMax = 64

/** The text that is being written, as far as this process has heard it. */
export type HeardText = {
  /** Counts what was heard of the run's texts. */
  version: number
  whole: LiveText
  /** What came last; sent as it is to all who have what was before it. */
  piece: LiveText
  /** Of the pieces before, the oldest first: where each begins. */
  starts: { version: number; at: number }[]
}

/** What is shown of a run as it happens. Each change makes a new object. */
export type LiveRun = { tool: LiveTool | undefined; text: HeardText | undefined; version: number }

export const nothingLive: LiveRun = { tool: undefined, text: undefined, version: 0 }

/** Nothing is at work any more. */
export const ended = ({ version }: LiveRun): LiveRun => ({ ...nothingLive, version })

export function withTool(live: LiveRun, tool: LiveTool): LiveRun {
  return live.tool && live.tool.step > tool.step ? live : { ...live, tool }
}

export function withText(live: LiveRun, piece: LiveText): LiveRun {
  const { text } = live
  const version = live.version + 1
  const whole = withPiece(text?.whole, piece)
  const goesOn = text !== undefined && whole !== piece
  const starts = goesOn
    ? [...text.starts, { version, at: piece.at }].slice(-piecesKeptMax)
    : [{ version, at: piece.at }]
  return { ...live, version, text: { version, whole, piece, starts } }
}

/** What a reader who was told up to a version lacks of the text. */
export function newText({ version, whole, piece, starts }: HeardText, sentVersion: number): LiveText {
  if (sentVersion === version - 1) return piece
  const missed = starts.filter((start) => start.version > sentVersion)
  const hasAll = missed.length === version - sentVersion
  const at = hasAll ? Math.min(...missed.map((start) => start.at)) : whole.at
  return { ...whole, at, text: whole.text.slice(at - whole.at) }
}
