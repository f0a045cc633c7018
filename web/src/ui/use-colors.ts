import { useEffect, useState } from 'react'
import type { Piece } from './color-lines.ts'
import type { DiffLine, Hunk } from './read-diff.ts'

export type Colors = ReadonlyMap<DiffLine, Piece[]>

const none: Colors = new Map()

/** The colors of a diff's lines. The highlighter is loaded after the lines are shown, which never waits for it. */
export function useColors(hunks: readonly Hunk[], path: string): Colors {
  const [colors, setColors] = useState(none)
  useEffect(() => {
    let isWanted = true
    // A page that loses the service has no colors, and nothing else is missing.
    void import('./color-lines.ts').then(
      ({ colorLines }) => isWanted && setColors(new Map(hunks.flatMap((hunk) => colorHunk(colorLines, hunk, path)))),
      () => {},
    )
    return () => void (isWanted = false)
  }, [hunks, path])
  return colors
}

type ColorLines = (path: string, lines: readonly string[]) => Piece[][] | null

/** Each side is colored as it was: what was removed is no part of what came. */
function colorHunk(colorLines: ColorLines, { lines }: Hunk, path: string): [DiffLine, Piece[]][] {
  return (['-', '+'] as const).flatMap((sign) => {
    const side = lines.filter((line) => line.sign === sign || line.sign === ' ')
    const colored = colorLines(
      path,
      side.map(({ text }) => text),
    )
    return colored ? side.map((line, n): [DiffLine, Piece[]] => [line, colored[n] ?? []]) : []
  })
}
