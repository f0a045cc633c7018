import type { PullRequest } from '@runwright/sdk'
import { useMutation } from '@tanstack/react-query'
import { useId, useState, type FormEvent, type ReactElement } from 'react'
import { client } from '#api.ts'
import { Button } from '#ui/button.tsx'
import { Kbd } from '#ui/kbd.tsx'
import { Fault } from '#components/fault.tsx'
import type { Place } from './place.ts'
import { useReread } from './use-reread.ts'

type Props = {
  pull: PullRequest
  /** A line; else it is about the whole. */
  place?: Place
  /** Where it can be put away again. */
  onClose?: () => void
}

export function CommentForm({ pull, place, onClose }: Props): ReactElement {
  const id = useId()
  const [text, setText] = useState('')
  const reread = useReread(pull)
  const say = useMutation({
    mutationFn: () => client.pulls.comment(pull.organization_id, pull.id, { body: text, ...place }),
    onSuccess: async () => {
      await reread()
      setText('')
      onClose?.()
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() && !say.isPending) say.mutate()
  }
  const label = place ? `Comment on line ${place.line}` : 'Comment'
  return (
    <form className="composer" onSubmit={submit}>
      <label className="sr-only" htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        name={place ? 'line-comment' : 'comment'}
        rows={2}
        placeholder={label}
        // A line's form is there because somebody has asked for it.
        autoFocus={place !== undefined}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if ((event.ctrlKey || event.metaKey) && event.key === 'Enter') event.currentTarget.form?.requestSubmit()
          if (event.key === 'Escape') onClose?.()
        }}
      />
      {say.error && <Fault error={say.error} />}
      <div className="composer-bar">
        <span className="end" />
        {onClose && (
          <Button look="ghost sm" onClick={onClose}>
            Not now
          </Button>
        )}
        <Button type="submit" look="sm" isBusy={say.isPending} disabled={!text.trim()}>
          Comment <Kbd className="hide-phone">Ctrl ↵</Kbd>
        </Button>
      </div>
    </form>
  )
}
