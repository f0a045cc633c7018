import { readFailure, type FailureReport } from '#base/failure-report/read-failure.ts'
import { passedConclusions } from '#base/hosts/host-facts.ts'
import type { Mask } from '#base/redaction/redactor.ts'

/** What to do about a failing check: only the first is fixed by changing files. */
export const checkVerdicts = ['fixable', 'flaky', 'infra', 'not_from_this_pr', 'external_metadata'] as const
export type CheckVerdict = (typeof checkVerdicts)[number]

/** The result of a check on any host. */
export type FailedCheck = {
  name: string
  app: string
  conclusion: string | null
  summary: string | null
  /** The end of its log; null if there is none. */
  log: string | null
}

export type DiagnoseCheck = FailedCheck & {
  /** The same check at the base of the pull request; null if it did not run, or passed. */
  onBase?: Pick<FailedCheck, 'conclusion' | 'summary' | 'log'> | null
  /** Whether it was run again on the same commit: what fails twice is no chance. */
  isSecondTry?: boolean
  mask: Mask
  excerptBytesMax?: number
}

export type CheckDiagnosis = Omit<FailureReport, 'known'> & {
  name: string
  conclusion: string | null
  verdict: CheckVerdict
  /** A word for the cause, and what it usually means, for people. */
  cause: string | null
  meaning: string | null
}

/** Of hosts that say themselves that nobody could run it, or that a person must act. */
const byConclusion: Record<string, CheckVerdict> = {
  startup_failure: 'infra',
  stale: 'infra',
  cancelled: 'infra',
  action_required: 'external_metadata',
}
const byKind = { code: 'fixable', chance: 'flaky', machines: 'infra', metadata: 'external_metadata' } as const

/** Checks of what stands around the files, by their names and by who runs them. */
const metadataNames =
  /\b(?:pr|pull[ -]?request|mr)[ -]?(?:title|labels?|description|body|size)|\bsemantic[ -]?(?:pr|pull)|conventional[ -]commits?|\blabel(?:s|er)?\b|\bcla\b|\bdco\b|\bwip\b|(?:required|missing)[ -](?:labels?|reviews?|approvals?)/i
const metadataApps = /^(?:dco|cla-?assistant|license-?cla|semantic-pull-requests?|wip|easycla)/i

/** Why a check failed and what is to be done about it, by its log and its name alone. Its texts are foreign, and masked. */
export function diagnoseCheck(check: DiagnoseCheck): CheckDiagnosis {
  const { known, ...report } = read(check, check)
  return {
    ...report,
    name: check.mask(check.name),
    conclusion: check.conclusion,
    verdict: judge(check, { known, signature: report.signature }),
    cause: known?.cause ?? null,
    meaning: known?.meaning ?? null,
  }
}

/** Masked before anything is cut out of it: a part of a secret would not be known again. */
function read(
  { log, summary }: Pick<FailedCheck, 'log' | 'summary'>,
  { mask, excerptBytesMax }: Pick<DiagnoseCheck, 'mask' | 'excerptBytesMax'>,
): FailureReport {
  return readFailure(mask(log ?? summary ?? ''), excerptBytesMax === undefined ? {} : { excerptBytesMax })
}

function judge(check: DiagnoseCheck, { known, signature }: Pick<FailureReport, 'known' | 'signature'>): CheckVerdict {
  const { name, app, conclusion, onBase, isSecondTry } = check
  if (onBase && !passedConclusions.has(onBase.conclusion ?? 'success') && read(onBase, check).signature === signature)
    return 'not_from_this_pr'
  if (metadataNames.test(name) || metadataApps.test(app)) return 'external_metadata'
  const text = byConclusion[conclusion ?? '']
  if (text) return text
  // A time limit is met by what waits for ever as well as by a slow machine.
  const verdict = known ? byKind[known.kind] : conclusion === 'timed_out' ? 'flaky' : 'fixable'
  return verdict === 'flaky' && isSecondTry ? 'fixable' : verdict
}
