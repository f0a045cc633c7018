import { HostError } from '#adapters/codehosts/code-host.ts'
import type { PushRequest, PushResult, SignPush as SignRequest } from '#adapters/codehosts/git-store.ts'
import type { SignedCommit, UnsignedCommit } from '#adapters/codehosts/remote-host.ts'
import { signCommits } from './sign-commits.ts'

export type SignPush = {
  repository: string
  request: PushRequest
  sign: SignRequest
  signCommit: (commit: UnsignedCommit) => Promise<SignedCommit | null>
  /** Pushes to the host whatever is there now; null once that is done. */
  push: (refspec: string) => Promise<Refused | null>
}
/** What a branch is moved to, and other refspecs of the same push. */
export type ToPush = { commit: string; refs: string[] }
export type Refused = Extract<PushResult, { pushed: false }>

/**
 * Has the commits of a push signed. Their host can only commit trees that it has: they are brought there under a name that is no branch,
 * and that goes with the push itself.
 */
export async function signPush({ repository, request, sign, signCommit, push }: SignPush): Promise<ToPush | Refused> {
  const { commit, branch, signal } = request
  const hidden = `refs/runwright/${commit}`
  const bring = async (what: string) => {
    const refused = await push(`${what}:${hidden}`)
    if (refused) throw new NotBrought(refused)
  }
  const ask = (unsigned: UnsignedCommit) => {
    signal?.throwIfAborted()
    // What the host does not take it would not take later either: unsigned work is better than none.
    return signCommit(unsigned).catch((error: unknown) => {
      if (error instanceof HostError && error.code === 'invalid') return null
      throw error
    })
  }
  try {
    await bring(commit)
    const signed = await signCommits({ repository, commit, branch, ...sign, sign: ask, bring })
    if (signed !== commit) await sign.onSigned(signed)
    return { commit: signed, refs: [`:${hidden}`] }
  } catch (error) {
    await push(`:${hidden}`).catch(() => {})
    if (error instanceof NotBrought) return error.refused
    throw error
  }
}

class NotBrought extends Error {
  readonly refused: Refused
  constructor(refused: Refused) {
    super(refused.message)
    this.refused = refused
  }
}
