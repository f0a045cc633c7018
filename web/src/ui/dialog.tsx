import { useEffect, useRef, type ReactElement, type ReactNode } from 'react'

type Props = { title: string; onClose: () => void; children: ReactNode; footer?: ReactNode; className?: string }

/** Open for as long as it is there. The focus begins at what says `data-first`, else at the first field or button. */
export function Dialog({ title, onClose, children, footer, className = 'dialog' }: Props): ReactElement {
  const node = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = node.current
    dialog?.showModal()
    dialog?.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => dialog?.close()
  }, [])
  return (
    <dialog
      ref={node}
      className={className}
      aria-label={title}
      onCancel={onClose}
      onClick={(event) => {
        if (event.target === node.current) onClose()
      }}
    >
      <header>
        <h2>{title}</h2>
      </header>
      <div>{children}</div>
      {footer && <footer>{footer}</footer>}
    </dialog>
  )
}
