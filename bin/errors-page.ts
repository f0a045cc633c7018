import { errorCodes } from '../server/src/base/errors.ts'

/** What `error.code` of a failed run may be: why, and what to do. */
const runErrors: [code: string, why: string, what: string][] = [
  [
    'no_model',
    'No model is configured, or the one that was asked for is not there.',
    'Set a key or an address of a model; the message names the variables.',
  ],
  [
    'model_error',
    'The model provider refused or answered nonsense.',
    'The message names the provider and what it said.',
  ],
  [
    'context_overflow',
    'The conversation is larger than the model takes, even shortened.',
    'Start a new run with a smaller task.',
  ],
  ['refused', 'The model declined.', "Read the model's words in the log; word the task differently."],
  ['stuck', 'The agent repeated itself without getting on, or nothing happened for 30 minutes.', 'Resume with a hint.'],
  ['max_steps_reached', 'The turn took more steps than it may.', 'Resume to go on.'],
  ['output_limit_reached', "The run's log has grown to 1 GiB.", 'Start a new run.'],
  ['timeout', 'The run reached its `timeout_minutes`.', 'Resume, or start it with more time.'],
  [
    'storage_unavailable',
    'The store of big bytes could not be used, after several tries. Nothing that was stored is lost.',
    'Mend what the message names (`RUNWRIGHT_BLOBS`), then resume the run.',
  ],
  ['image_lost', 'An image of the run is not stored any more.', 'Send it again with a follow-up.'],
  ['no_tests_found', 'The repair engine found no tests.', 'The message says what it looked for.'],
  [
    'no_failing_test',
    'All tests pass, so there is nothing that the repair engine could mend.',
    'Configure a model for other tasks.',
  ],
  [
    'no_fix_found',
    'No small change makes the failing tests pass.',
    'Configure a model, or mend it by hand; the message says what was tried.',
  ],
  [
    'setup_not_found',
    'None of the ways to set the repository up that were found passes.',
    'The message says what was tried; set the commands by hand, or say in the prompt what the agent should know.',
  ],
  ['not_supported', 'The engine cannot work on this repository.', 'The message says why.'],
  ['engine_unavailable', 'The engine cannot be used here.', 'The message says what is missing.'],
  [
    'engine_error',
    'A fault of the engine or of the service.',
    "Resume to try again; the service's log has the details.",
  ],
  ['sandbox_failed', 'The sandbox could not be started.', '`npm start -- doctor` says what is missing.'],
  [
    'sandbox_too_weak',
    'The machine does not hold the limits of a sandbox as the organization requires.',
    'Let a worker that does take the run, by labels; or require less (`settings.sandbox_require`).',
  ],
  ['sandbox_lost', 'The sandbox ended while the agent worked.', 'Resume to try again.'],
  [
    'disk_full',
    'The sandbox used up its disk space, or the disk of the machine is full.',
    'Raise `RUNWRIGHT_SANDBOX_DISK_MIB`, or make room.',
  ],
  ['out_of_memory', 'The sandbox used more memory than it may.', 'Raise `RUNWRIGHT_SANDBOX_MEMORY_MIB`.'],
  [
    'too_many_open_files',
    'Processes of the sandbox held too many files open at once.',
    'Let fewer of them run at once; no setting raises the limit.',
  ],
  [
    'sandbox_unmeasured',
    'What the sandbox used could not be told several times in a row.',
    'Resume the run. If it comes again, let it have fewer files and processes; the service log says more.',
  ],
  ['checkout_failed', 'The code could not be checked out.', 'The message has the last words of git.'],
  ['base_branch_not_found', 'The repository has no such branch.', 'Name one that it has as `base_branch`.'],
  [
    'setup_failed',
    'The setup commands have failed, or `.runwright.yml` on the base branch is wrong.',
    'The message has the command and its last words, or the lines that are wrong. Mend them on the base branch.',
  ],
  ['commit_failed', 'The work could not be committed.', 'The message has the last words of git.'],
  ['pack_failed', 'The work could not leave the sandbox.', 'The message has the last words of git.'],
  ['push_too_large', 'The work is larger than a run may push.', 'Leave large files out of the repository.'],
  [
    'storage_full',
    'A limit of what may be stored was reached.',
    'The message names it and who may raise it; resume after that.',
  ],
  ['push_rejected', 'The host refused the push.', 'The message says why; resume to try again.'],
  [
    'secret_in_work',
    'What the run would have pushed holds one of its secrets.',
    'The message names file and line. Resume it to take the secret out, also of its commits.',
  ],
  [
    'canary_found',
    'A credential that was planted in the sandbox came up in what the run printed, wrote or pushed.',
    'Read the log: something has led the agent to look for credentials. Nothing of the work was pushed.',
  ],
  ['repository_not_found', 'The repository is not there any more.', 'Import or make it again.'],
  ['repository_unavailable', 'The host of the repository cannot be reached.', 'Resume when it can.'],
  [
    'worker_lost',
    'The worker was lost several times at the same step.',
    'Look into the service log for why, then resume.',
  ],
]

/** docs/errors.md: every code that a client may see, in requests and in runs. */
export function errorsPage(): string {
  const answers = Object.entries(errorCodes).map(
    ([code, [status, message]]) => `| \`${code}\` | ${status} | ${message} |`,
  )
  const runs = runErrors.map(([code, why, what]) => `| \`${code}\` | ${why} | ${what} |`)
  return [
    '# Errors',
    '',
    'Generated from the code; `npm run generate` writes it anew.',
    '',
    '## Answers',
    '',
    'Every error has the body `{message, status_code, code, request_id}`, and `detail` where the request was not valid.',
    '',
    '| `code` | Status | Meaning |',
    '|---|---|---|',
    ...answers,
    '',
    '## Runs that failed',
    '',
    'A failed run has `error` `{code, message, retryable}`, and an ERROR entry with the same message at the end of its log.',
    '',
    '| `error.code` | Why | What to do |',
    '|---|---|---|',
    ...runs,
    '',
  ].join('\n')
}
