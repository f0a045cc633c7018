import { useMutation } from '@tanstack/react-query'
import { useState, type ReactElement, type ReactNode } from 'react'
import { FormDialog } from '#components/form-dialog.tsx'
import { TextField } from '#ui/text-field.tsx'
import { dropDrafts } from '#ui/use-draft.ts'

type Props = {
  title: string
  action: string
  /** What is typed by who means it; null: a click is enough. */
  confirm: string | null
  remove: () => Promise<unknown>
  onClose: () => void
  children: ReactNode
}

/** Ends somebody's access. The page is loaded anew, so that nothing stays of what it read. */
export function RemovalDialog({ title, action, confirm, remove, onClose, children }: Props): ReactElement {
  const [typed, setTyped] = useState('')
  const removal = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      dropDrafts()
      location.assign('/')
    },
  })
  return (
    <FormDialog
      title={title}
      action={action}
      look="destroy"
      isQuestion={confirm === null}
      isReady={confirm === null || typed.trim() === confirm}
      mutation={removal}
      onSubmit={() => removal.mutate()}
      onClose={onClose}
    >
      {children}
      {confirm !== null && <TextField label={`Type ${confirm} to confirm`} value={typed} onChange={setTyped} />}
    </FormDialog>
  )
}
