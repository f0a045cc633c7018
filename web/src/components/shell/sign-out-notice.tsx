import { RunwrightError } from '@runwright/sdk'
import type { ReactElement } from 'react'
import { Button } from '#ui/button.tsx'
import { Icon } from '#ui/icon.tsx'
import { forgetSignOut, signOut, useSignOutFault } from './sign-out.ts'

/** Says, over whichever page it is, that somebody is still signed in who did not want to be. */
export function SignOutNotice(): ReactElement | null {
  const fault = useSignOutFault()
  if (!fault) return null
  return (
    <div className="server-strip sign-out-strip" role="alert">
      <p className="failed tone">
        <Icon name="error" size={14} />
        You’re still signed in. {fault instanceof RunwrightError ? fault.message : 'Can’t reach the server.'}
        <Button look="sm" onClick={() => void signOut()}>
          Try again
        </Button>
        <Button look="ghost sm" onClick={forgetSignOut}>
          Stay signed in
        </Button>
      </p>
    </div>
  )
}
