import { useMutation } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { expandedLines, type Expand, type GapPart } from '#ui/gap-buttons.tsx'
import type { DiffFile, Gap, Hunk } from '#ui/read-diff.ts'
import { addLines } from './add-lines.ts'

/** Lines of the file as it is now. There may come fewer than were asked for. */
export type ReadLines = (from: number, to: number | null) => Promise<{ lines: string[]; total: number }>

/** A line with a comment is shown with so many above and below it. */
const linesAround = 3

type Known = { file: DiffFile; lines: ReadonlyMap<number, string>; total: number | null }
type Expanded = { hunks: Hunk[]; end?: Gap | undefined; expand?: Expand | undefined }

/**
 * A file's change with the lines around it that somebody wanted to see, and with those of `talked`, which have comments; as it
 * is where they cannot be read.
 */
export function useExpanded(file: DiffFile, read: ReadLines | undefined, talked: readonly number[] = []): Expanded {
  const [known, setKnown] = useState<Known | null>(null)
  // Of another commit the lines have other numbers.
  const current = known?.file === file ? known : null
  const show = useMutation({
    mutationFn: async ({ gap, part, read }: { gap: Gap; part: GapPart; read: ReadLines }) => {
      const { from, to } = partOf(gap, part)
      return { from, ...(await read(from, to)) }
    },
    onSuccess: ({ from, lines, total }) =>
      setKnown((before) => {
        const all = new Map(before?.file === file ? before.lines : [])
        for (const [n, text] of lines.entries()) all.set(from + n, text)
        return { file, lines: all, total }
      }),
  })
  const canRead = read !== undefined
  const { hunks, end } = useMemo(
    () => (canRead ? addLines(file, current?.lines ?? new Map(), current?.total ?? null) : { hunks: file.hunks }),
    [file, current, canRead],
  )
  const { mutate, isPending, error, variables } = show
  const keepFocus = useKeptFocus(isPending)
  const expand = useMemo<Expand | undefined>(
    () =>
      read && {
        onShow: (gap, part) => {
          keepFocus()
          mutate({ gap, part, read })
        },
        isBusy: isPending,
        problem: error && variables ? { gap: variables.gap, words: error.message } : null,
      },
    [read, mutate, keepFocus, isPending, error, variables],
  )
  useTalked({ file, hunks, talked, isPending }, (n) => {
    const gap = { from: Math.max(1, n - linesAround), to: n + linesAround }
    if (read) mutate({ gap, part: 'all', read })
  })
  return { hunks, end, expand }
}

type Talked = { file: DiffFile; hunks: readonly Hunk[]; talked: readonly number[]; isPending: boolean }

/** Asks once for each line with a comment that is not shown, one after another. */
function useTalked({ file, hunks, talked, isPending }: Talked, onMissing: (n: number) => void): void {
  const show = useEffectEvent(onMissing)
  const asked = useRef({ file, lines: new Set<number>() })
  useEffect(() => {
    if (asked.current.file !== file) asked.current = { file, lines: new Set() }
    const { lines } = asked.current
    const next = talked.find((n) => !lines.has(n) && !hunks.some((hunk) => hunk.lines.some(({ after }) => after === n)))
    if (isPending || next === undefined) return
    lines.add(next)
    show(next)
  }, [file, hunks, talked, isPending])
}

function partOf({ from, to }: Gap, part: GapPart): Gap {
  if (part === 'above') return { from, to: Math.min(from + expandedLines - 1, to ?? Infinity) }
  return part === 'below' && to !== null ? { from: Math.max(from, to - expandedLines + 1), to } : { from, to }
}

/**
 * A button that is gone with the lines it stood for leaves the focus to the change that it was in. Answers what to call when
 * one is pressed.
 */
function useKeptFocus(isPending: boolean): () => void {
  const table = useRef<HTMLElement | null>(null)
  useEffect(() => {
    if (isPending || !table.current) return
    if (document.activeElement === document.body) table.current.focus({ preventScroll: true })
    table.current = null
  }, [isPending])
  return useCallback(() => void (table.current = document.activeElement?.closest<HTMLElement>('.diff') ?? null), [])
}
