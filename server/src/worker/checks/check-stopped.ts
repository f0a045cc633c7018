/** Why a check is not run to its end here: its claim is lost, or nobody waits for it any more. */
export class CheckStopped extends Error {
  override readonly name = 'CheckStopped'
  readonly why: 'lost' | 'unwanted'
  constructor(why: CheckStopped['why']) {
    super(`the check is ${why}`)
    this.why = why
  }
}
