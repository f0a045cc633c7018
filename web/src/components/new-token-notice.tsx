import type { ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { copyText } from '#ui/copy-text.ts'
import { Icon } from '#ui/icon.tsx'

/** The only time a token is shown; it stays until one leaves the page. */
export function NewTokenNotice({ token }: { token: string }): ReactElement {
  return (
    <div className="notice completed new-token" role="status">
      <Icon name="check" size={14} />
      <div className="grow">
        <p>Copy your token now. You won’t see it again.</p>
        <code className="mono">{token}</code>
      </div>
      <Button look="sm" onClick={() => void copyText(token, 'Token copied')}>
        <Icon name="copy" size={12} />
        Copy
      </Button>
    </div>
  )
}
