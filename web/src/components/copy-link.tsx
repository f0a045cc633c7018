import type { ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { Icon } from '#ui/icon.tsx'

/** Copies the address of the page. */
export function CopyLink(): ReactElement {
  return (
    <Button
      look="ghost sm square"
      aria-label="Copy link"
      title="Copy link"
      onClick={() => void copyText(location.href, 'Link copied')}
    >
      <Icon name="link" size={14} />
    </Button>
  )
}
