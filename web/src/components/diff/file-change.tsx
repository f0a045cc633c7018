import { useState, type ReactElement } from 'react'
import { DiffTable } from '#ui/diff-table.tsx'
import { Icon } from '#ui/icon.tsx'
import type { LineTalk } from '#ui/diff-rows.tsx'
import type { DiffFile } from '#ui/read-diff.ts'
import { useExpanded, type ReadLines } from './use-expanded.ts'

export type FileProps = {
  id: string
  file: DiffFile
  isSplit: boolean
  isViewed: boolean
  onView: () => void
  talk?: LineTalk | undefined
  /** Reads lines around the change. */
  read?: ReadLines | undefined
  /** Lines of the file as it is now that have comments, and are shown wherever they are. */
  talked?: readonly number[] | undefined
}

/** A file that changed more is folded at first. */
const openLinesMax = 400

/** What changed in one file. A viewed one is folded; lines can be talked about where `talk` is given. */
export function FileChange({ id, file, isSplit, isViewed, onView, talk, read, talked }: FileProps): ReactElement {
  const [isOpen, setOpen] = useState(!isViewed && file.added + file.removed <= openLinesMax)
  const expanded = useExpanded(file, read, talked)
  const cut = file.path.lastIndexOf('/') + 1
  return (
    <section className="file" id={id} aria-label={file.path}>
      <header>
        <button className="file-fold" type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="chev" className="fold" />
          <span className="path">
            {file.pathBefore !== file.path && <span>{file.pathBefore} → </span>}
            <span>{file.path.slice(0, cut)}</span>
            {file.path.slice(cut)}
          </span>
          <span className="stat">
            <span className="p">+{file.added}</span> <span className="m">−{file.removed}</span>
          </span>
        </button>
        <label className="check end">
          <input
            type="checkbox"
            checked={isViewed}
            onChange={() => {
              onView()
              setOpen(isViewed)
            }}
          />
          Viewed
        </label>
      </header>
      {isOpen &&
        (file.hunks.length ? (
          <DiffTable {...expanded} label={file.path} talk={talk} isSplit={isSplit} />
        ) : (
          <p className="pane faint small">{file.isBinary ? 'Binary file.' : 'No lines changed.'}</p>
        ))}
    </section>
  )
}
