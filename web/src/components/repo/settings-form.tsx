import type { FormEvent, ReactElement, ReactNode } from 'react'
import { Fault } from '#components/fault.tsx'
import { Button } from '#ui/button.tsx'
import { Notice } from '#ui/notice.tsx'

type Props = {
  label: string
  /** Undefined until it is known. */
  canEdit: boolean | undefined
  /** Says who else may change it. */
  lockedNote?: string
  isChanged: boolean
  /** What was typed into was saved otherwise meanwhile; `onDrop` shows that instead. */
  isChangedElsewhere: boolean
  onDrop: () => void
  /** Something typed cannot be saved. */
  isWrong?: boolean
  saving: { isPending: boolean; error: Error | null; isSuccess?: boolean }
  onSave: () => void
  children: ReactNode
}

/** Settings that are saved together: Enter saves, and those who may not change them can still read them. */
export function SettingsForm({
  label,
  canEdit,
  lockedNote = 'Only managers can change this.',
  isChanged,
  isChangedElsewhere,
  onDrop,
  isWrong = false,
  saving,
  onSave,
  children,
}: Props): ReactElement {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (canEdit && isChanged && !isWrong && !saving.isPending) onSave()
  }
  return (
    <form className="panel" aria-label={label} onSubmit={submit}>
      <fieldset className="settings-fields" disabled={!canEdit}>
        {children}
        {isChangedElsewhere && !saving.isPending && (
          <Notice
            action={
              <Button look="sm" onClick={() => onDrop()}>
                Use the saved values
              </Button>
            }
          >
            <p>
              Someone else changed these settings meanwhile. What you typed is kept, and Save replaces their change.
            </p>
          </Notice>
        )}
        {saving.error && <Fault error={saving.error} />}
      </fieldset>
      <footer>
        {canEdit === false ? (
          <span className="faint small">{lockedNote}</span>
        ) : (
          <>
            <span className="faint small grow" role="status">
              {isChanged ? 'Not saved yet' : saving.isSuccess ? 'Saved' : ''}
            </span>
            <Button
              type="submit"
              look={isChanged ? 'primary' : ''}
              disabled={!canEdit || !isChanged || isWrong}
              isBusy={saving.isPending}
            >
              Save
            </Button>
          </>
        )}
      </footer>
    </form>
  )
}
