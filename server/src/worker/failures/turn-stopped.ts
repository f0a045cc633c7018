/** Why a turn must end at once: the reason of its abort signal. */
export class TurnStopped extends Error {
  override readonly name = 'TurnStopped'
  readonly why: 'cancelled' | 'timeout' | 'lost' | 'shutdown' | 'paused' | 'waiting' | 'unfit' | 'host' | 'runs'
  constructor(why: TurnStopped['why']) {
    super(`The turn was stopped: ${why}.`)
    this.why = why
  }
}
