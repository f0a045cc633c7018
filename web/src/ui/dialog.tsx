import { useEffect, useRef, type FormEvent, type KeyboardEvent, type ReactElement, type ReactNode } from 'react'

type Props = {
  title: string
  onClose: () => void
  children: ReactNode
  footer?: ReactNode
  className?: string
  /** Makes it a form: Enter in a field, Ctrl-Enter anywhere and its submit button do this. */
  onSubmit?: () => void
}

/** Open for as long as it is rendered. The focus begins at what says `data-first`, else at the first field or button. */
export function Dialog({ title, onClose, children, footer, className = 'dialog', onSubmit }: Props): ReactElement {
  const node = useRef<HTMLDialogElement>(null)
  const isBeside = useRef(false)
  useEffect(() => {
    const dialog = node.current
    dialog?.showModal()
    dialog?.querySelector<HTMLElement>('[data-first]')?.focus()
    return () => dialog?.close()
  }, [])
  const content = (
    <>
      <header>
        <h2>{title}</h2>
      </header>
      <div>{children}</div>
      {footer && <footer>{footer}</footer>}
    </>
  )
  return (
    <dialog
      ref={node}
      className={className}
      aria-label={title}
      onCancel={onClose}
      // A press beside it closes it; one that began inside of it, such as selecting a text, does not.
      onPointerDown={(event) => {
        isBeside.current = event.target === node.current
      }}
      onClick={(event) => {
        if (isBeside.current && event.target === node.current) onClose()
      }}
    >
      {onSubmit ? (
        <form noValidate onSubmit={(event) => submit(event, onSubmit)} onKeyDown={submitOnCtrlEnter}>
          {content}
        </form>
      ) : (
        content
      )}
    </dialog>
  )
}

function submit(event: FormEvent<HTMLFormElement>, onSubmit: () => void): void {
  event.preventDefault()
  // A form that a dialog was opened from is not sent with it.
  event.stopPropagation()
  onSubmit()
}

function submitOnCtrlEnter(event: KeyboardEvent<HTMLFormElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  const button = event.currentTarget.querySelector<HTMLButtonElement>('button[type=submit]')
  if (button && !button.disabled) event.currentTarget.requestSubmit(button)
}
