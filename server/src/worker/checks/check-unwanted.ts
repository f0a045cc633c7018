/** Why a check is not run to its end here: nobody waits for its result any more. */
export class CheckUnwanted extends Error {
  override readonly name = 'CheckUnwanted'
  constructor() {
    super('the result of the check is no longer needed')
  }
}
