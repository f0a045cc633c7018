import { useState, type ReactElement } from 'react'
import { DiffTable, type LineTalk } from '#ui/diff-table.tsx'
import { Icon } from '#ui/icon.tsx'
import type { DiffFile } from '#ui/read-diff.ts'

/** A file that changed more is folded at first. */
const openLinesMax = 400

/** What became of one file; lines can be spoken about where somebody listens. */
export function FileChange({ file, talk }: { file: DiffFile; talk?: LineTalk | undefined }): ReactElement {
  const [isOpen, setOpen] = useState(file.added + file.removed <= openLinesMax)
  const cut = file.path.lastIndexOf('/') + 1
  return (
    <section className="file" aria-label={file.path}>
      <header>
        <button className="file-fold" type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          <Icon name="chev" className="fold" />
          <span className="path">
            <span>{file.path.slice(0, cut)}</span>
            {file.path.slice(cut)}
          </span>
          <span className="stat">
            <span className="p">+{file.added}</span> <span className="m">−{file.removed}</span>
          </span>
        </button>
      </header>
      {isOpen &&
        (file.hunks.length ? (
          <DiffTable hunks={file.hunks} label={file.path} talk={talk} />
        ) : (
          <p className="pane text-ink-3 text-xs">{file.isBinary ? 'A binary file.' : 'No lines changed.'}</p>
        ))}
    </section>
  )
}
