import type { ReactElement, ReactNode } from 'react'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { Fault } from './fault.tsx'

type Props = {
  title: string
  /** What its button says. */
  action: ReactNode
  look?: 'primary' | 'destroy'
  /** Says no. */
  cancel?: string
  /** It has no field: the focus begins at its button. */
  isQuestion?: boolean
  /** What is filled in can be sent. */
  isReady?: boolean
  /** What it sends. */
  mutation?: { isPending: boolean; error?: Error | null }
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** A dialog that is filled in or confirmed, and sent once. */
export function FormDialog({
  title,
  action,
  look = 'primary',
  cancel = 'Cancel',
  isQuestion = false,
  isReady = true,
  mutation: { isPending, error } = { isPending: false },
  onSubmit,
  onClose,
  children,
}: Props): ReactElement {
  return (
    <Dialog
      title={title}
      onClose={onClose}
      onSubmit={() => {
        if (isReady && !isPending) onSubmit()
      }}
      footer={
        <>
          <Button onClick={onClose}>{cancel}</Button>
          <Button
            type="submit"
            look={look}
            disabled={!isReady}
            isBusy={isPending}
            {...(isQuestion && { 'data-first': true })}
          >
            {action}
          </Button>
        </>
      }
    >
      <div className="stack">
        {children}
        {error && <Fault error={error} />}
      </div>
    </Dialog>
  )
}
