import { useState, type ReactElement, type ReactNode } from 'react'
import type { DiffFile } from '#ui/read-diff.ts'
import { FileChange, type FileProps } from './file-change.tsx'
import { FileTree } from './file-tree.tsx'
import { useViewed } from './use-viewed.ts'

type Props = {
  files: DiffFile[]
  /** Whose files they are; marks of viewed files are kept for it. */
  scope: string
  /** What stands beside the counts. */
  note?: ReactNode
  /** One file, where lines can be talked about. */
  children?: (file: DiffFile, props: FileProps) => ReactNode
}

const layoutKey = 'diff layout'

/** All files of a change: a list of them to go through, their lines in one column or two, and marks of what was viewed. */
export function DiffFiles({ files, scope, note, children }: Props): ReactElement {
  const [isSplit, setSplit] = useState(() => localStorage.getItem(layoutKey) === 'split')
  const viewed = useViewed(scope)
  const done = files.filter((file) => viewed.has(file)).length
  const choose = (is: boolean) => {
    setSplit(is)
    localStorage.setItem(layoutKey, is ? 'split' : 'unified')
  }
  const sum = (count: (file: DiffFile) => number) => files.reduce((all, file) => all + count(file), 0)
  return (
    <div className="diff-files">
      <div className="diff-bar">
        <span className="strong">{files.length === 1 ? '1 file' : `${files.length} files`}</span>
        <span className="stat">
          <span className="p">+{sum(({ added }) => added)}</span>{' '}
          <span className="m">−{sum(({ removed }) => removed)}</span>
        </span>
        {note}
        <span className="faint small end" role="status">
          {done} of {files.length} viewed
        </span>
        <div className="seg hide-phone" role="group" aria-label="Diff layout">
          <button type="button" aria-pressed={!isSplit} onClick={() => choose(false)}>
            Unified
          </button>
          <button type="button" aria-pressed={isSplit} onClick={() => choose(true)}>
            Split
          </button>
        </div>
      </div>
      <div className={files.length > 1 ? 'diff-grid' : ''}>
        {files.length > 1 && <FileTree files={files} viewed={viewed} idOf={(n) => `file-${n}`} />}
        <div>
          {files.map((file, n) => {
            const props = {
              id: `file-${n}`,
              file,
              isSplit,
              isViewed: viewed.has(file),
              onView: () => viewed.toggle(file),
            }
            return children ? children(file, props) : <FileChange key={file.path} {...props} />
          })}
        </div>
      </div>
    </div>
  )
}
