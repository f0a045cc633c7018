import type { Entry } from '#base/entry.ts'
import type { JsonObject } from '#base/json.ts'
import { limits } from '#base/limits.ts'
import type { Checkpoint } from '#domain/runs/checkpoints/checkpoint.ts'
import type { LostStep } from '#domain/runs/checkpoints/list-lost-steps.ts'

/** Why a run goes on in another work tree than the one it worked in. */
export type RestoreReason = 'other_machine' | 'sandbox_gone' | 'ended_turn'

export type Restored = {
  /** What the agent is told. */
  text: string
  /** Keys of the steps whose changes to files are lost. */
  lost: string[]
  passedOver: 'missing' | 'damaged' | 'branch_moved' | null
  entry: Entry
}

export type TellRestored = {
  reason: RestoreReason
  branch: string
  /** Whether the agent itself has pushed the branch in this turn. */
  isPushed?: boolean
  /** Null: the work goes on from the branch. */
  checkpoint: Checkpoint | null
  commit: string | null
  lost: LostStep[]
  passedOver: Restored['passedOver']
}

const reasons: Record<RestoreReason, string> = {
  other_machine: 'the files are on a machine that does not work at it any more',
  sandbox_gone: 'the files of its sandbox are gone',
  ended_turn: 'the last turn ended before its work was on the branch',
}
const passedOverWords: Record<NonNullable<Restored['passedOver']>, string> = {
  missing: 'The data of a newer checkpoint is missing.',
  damaged: 'A newer checkpoint is damaged.',
  branch_moved: 'A newer checkpoint was not used, because somebody has moved the branch since.',
}

/** Says from where the work goes on, and what of it is lost, to agent and readers. */
export function tellRestored(report: TellRestored): Restored {
  const { reason, branch, isPushed = false, checkpoint, commit, lost, passedOver } = report
  const onBranch = `the branch ${branch} as ${isPushed ? 'it was pushed last' : 'the turn found it'}`
  const from = checkpoint ? `the checkpoint after step ${checkpoint.step}` : onBranch
  const named = lost.slice(0, limits.lostStepsNamedMax).map(({ words }) => words)
  const more = lost.length - named.length
  const sentences = [
    `The work goes on from ${from}: ${reasons[reason]}.`,
    ...(passedOver ? [passedOverWords[passedOver]] : []),
    lost.length ? 'What these later steps changed in files is lost:' : 'Nothing that was done is lost.',
    ...named.map((words) => `- ${words}`),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ]
  const observation: JsonObject = {
    restored_from: checkpoint ? 'checkpoint' : 'branch',
    checkpoint: checkpoint?.n ?? null,
    step: checkpoint?.step ?? null,
    commit,
    lost: named,
    reason,
    passed_over: passedOver,
  }
  const advice = lost.length ? ['Look at the files before you go on, and do again what is still needed.'] : []
  return {
    text: [...sentences, ...advice].join('\n'),
    lost: lost.map(({ key }) => key),
    passedOver,
    entry: { messageType: 'PLAN_EVALUATION', thought: sentences.join('\n'), observation },
  }
}
