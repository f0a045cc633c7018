/** Moments of a run around which something is stored or done outside, in the order of its story. */
export const crashPoints = [
  'claim.stored',
  'turn.read',
  'messages.taken',
  'links.recorded',
  'repository.found',
  'branch.recorded',
  'workspace.begun',
  'setup.found',
  'sandbox.started',
  'code.checked_out',
  'setup.done',
  'workspace.stored',
  'past.read',
  'engine.started',
  'messages.read',
  'model.wanted',
  'model.begun',
  'model.answered',
  'model.stored',
  'tool.wanted',
  'tool.begun',
  'agent_push.intended',
  'agent_push.done',
  'agent_push.settled',
  'tool.done',
  'tool.stored',
  'ask.begun',
  'question.stored',
  'sandbox.left',
  'run.released',
  'reply.read',
  'reply.stored',
  'answer.made',
  'answer.begun',
  'answer.stored',
  'publishing.said',
  'work.committed',
  'push.intended',
  'pack.taken',
  'push.done',
  'push.settled',
  'checks.queued',
  'pull.intended',
  'pull.opened',
  'pull.agent_started',
  'pull.settled',
  'artifact.found',
  'artifact.put',
  'artifact.recorded',
  'note.begun',
  'note.stored',
  'artifacts.kept',
  'sandbox.stopped',
  'turn.ended',
  'sandbox.removed',
] as const

export type CrashPoint = (typeof crashPoints)[number]

/** Where to end the process: at the point, when it is passed for the nth time. */
export type Crash = { point: CrashPoint; nth: number }

/** As `tool.begun`, or `tool.begun:3` for the third time. */
export function parseCrash(text: string): Crash | undefined {
  const [, name, digits = '1'] = /^([a-z_.]+)(?::([1-9]\d{0,5}))?$/.exec(text) ?? []
  const point = crashPoints.find((known) => known === name)
  return point && { point, nth: Number(digits) }
}

// Of the process as a whole, because ending it is: handed in, it would stand in every signature for tests alone.
let armed: Crash | null = null

/** From now on the process ends at this point. */
export function armCrash(crash: Crash | null): void {
  armed = crash && { ...crash }
}

/** Ends the process as a kill would, if this is where it is to end. Nothing is closed, nothing is told. */
export function crashAt(point: CrashPoint): void {
  if (armed?.point === point && --armed.nth === 0) process.exit(137)
}
