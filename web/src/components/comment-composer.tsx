import { useMutation } from '@tanstack/react-query'
import { useId, type FormEvent, type ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { Kbd } from '#ui/kbd.tsx'
import { useDraft } from '#ui/use-draft.ts'
import { Fault } from './fault.tsx'

const suggestionStart = '```suggestion'

type Props = {
  label: string
  name: string
  /** What it is about, among everything that can be commented on this page; each has a draft of its own. */
  about?: string
  /** What to begin a suggestion with, where one can be made. */
  suggestion?: string | undefined
  /** Somebody has just asked for it. */
  isAsked?: boolean
  onSay: (text: string) => Promise<unknown>
  /** Where it can be closed again. */
  onClose?: (() => void) | undefined
}

/** Where people write a comment. What they typed stays until it is sent. */
export function CommentComposer({
  label,
  name,
  about = '',
  suggestion,
  isAsked = false,
  onSay,
  onClose,
}: Props): ReactElement {
  const id = useId()
  const [text, setText, dropText] = useDraft(`${location.pathname} ${name} ${about}`)
  const say = useMutation({
    mutationFn: (text: string) => onSay(text),
    onSuccess: (_, sent) => {
      dropText(sent)
      onClose?.()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() && !say.isPending) say.mutate(text)
  }
  return (
    <form className="composer" onSubmit={submit}>
      <label className="sr-only" htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        name={name}
        rows={2}
        placeholder={label}
        autoFocus={isAsked}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') event.currentTarget.form?.requestSubmit()
          if (event.key === 'Escape') onClose?.()
        }}
      />
      {say.error && <Fault error={say.error} />}
      <div className="composer-bar">
        {suggestion !== undefined && !text.includes(suggestionStart) && (
          <Button look="ghost sm" onClick={() => setText(text ? `${text}\n\n${suggestion}` : suggestion)}>
            Suggest a change
          </Button>
        )}
        <span className="end" />
        {onClose && (
          <Button look="ghost sm" onClick={onClose}>
            Cancel
          </Button>
        )}
        <Button type="submit" look="sm" isBusy={say.isPending} disabled={!text.trim()}>
          Comment <Kbd className="hide-phone">Ctrl ↵</Kbd>
        </Button>
      </div>
    </form>
  )
}
