import { errorCodes } from '../server/src/base/errors.ts'

/** What `error.code` of a failed run may be: why, and what to do. */
const runErrors: [code: string, why: string, what: string][] = [
  [
    'no_model',
    'No model is configured, or the requested model is not available.',
    'Set a model key or URL. The message names the variables.',
  ],
  [
    'model_error',
    'The model provider refused the call or returned an invalid response.',
    'The message includes the provider and its response.',
  ],
  [
    'context_overflow',
    'The conversation is too long for the model, even after shortening.',
    'Start a new run with a smaller task.',
  ],
  ['refused', 'The model declined the task.', "Read the model's response in the log and rephrase the task."],
  [
    'stuck',
    'The agent repeated itself without making progress, or nothing happened for 30 minutes.',
    'Resume with a hint.',
  ],
  ['max_steps_reached', 'The turn reached its maximum number of steps.', 'Resume the run to continue.'],
  [
    'output_limit_reached',
    "The run's log is as large as it can be (`RUNWRIGHT_STORAGE_LOG_MIB`).",
    'Start a new run, or raise the limit.',
  ],
  ['timeout', 'The run reached its `timeout_minutes`.', 'Resume the run, or start it with a longer timeout.'],
  [
    'storage_unavailable',
    'The blob store could not be used after several attempts. No stored data is lost.',
    'Fix the problem in the message (`RUNWRIGHT_BLOBS`), then resume the run.',
  ],
  ['image_lost', 'An image of the run is no longer stored.', 'Send it again with a follow-up.'],
  ['no_tests_found', 'The repair engine found no tests.', 'The message lists what it looked for.'],
  [
    'no_failing_test',
    'All tests pass, so there is nothing for the repair engine to fix.',
    'Configure a model for other tasks.',
  ],
  [
    'no_fix_found',
    'No small change makes the failing tests pass.',
    'Configure a model, or fix it manually. The message says what was tried.',
  ],
  [
    'setup_not_found',
    'None of the setup commands found for the repository succeed.',
    'The message says what was tried. Set the commands manually, or add what the agent should know to the prompt.',
  ],
  ['not_supported', 'The engine cannot work on this repository.', 'The message says why.'],
  ['engine_unavailable', 'The engine is not available.', 'The message says what is missing.'],
  [
    'engine_error',
    'An internal error of the engine or the service.',
    'Resume the run to try again. The service log has the details.',
  ],
  ['sandbox_failed', 'The sandbox could not be started.', '`npm start -- doctor` says what is missing.'],
  [
    'sandbox_too_weak',
    'The machine does not enforce sandbox limits as strictly as the organization requires.',
    'Use labels to direct the run to a worker that does, or relax `settings.sandbox_require`.',
  ],
  ['sandbox_lost', 'The sandbox ended while the agent was working.', 'Resume the run to try again.'],
  [
    'disk_full',
    "The sandbox used up its disk space, or the machine's disk is full.",
    'Raise `RUNWRIGHT_SANDBOX_DISK_MIB`, or free up disk space.',
  ],
  ['out_of_memory', 'The sandbox reached its memory limit.', 'Raise `RUNWRIGHT_SANDBOX_MEMORY_MIB`.'],
  [
    'too_many_open_files',
    'Processes in the sandbox had too many open files.',
    "Run fewer processes at once. The limit can't be raised.",
  ],
  [
    'sandbox_unmeasured',
    'The resource use of the sandbox could not be measured several times in a row.',
    'Resume the run. If the error recurs, use fewer files and processes. The service log has more details.',
  ],
  ['checkout_failed', 'The code could not be checked out.', "The message includes git's last output."],
  ['base_branch_not_found', 'The repository has no such branch.', 'Set `base_branch` to an existing branch.'],
  [
    'setup_failed',
    'The setup commands failed, or `.runwright.yml` on the base branch is invalid.',
    'The message includes the command and its last output, or the invalid lines. Fix them on the base branch.',
  ],
  [
    'conflicts_left',
    'The agent left conflict markers where it was to resolve conflicts with the base branch.',
    'Nothing was pushed. Follow up on the run, or resolve the conflicts yourself.',
  ],
  ['commit_failed', 'The work could not be committed.', "The message includes git's last output."],
  ['pack_failed', 'The work could not be exported from the sandbox.', "The message includes git's last output."],
  ['push_too_large', 'The work exceeds the size limit for pushes.', 'Keep large files out of the repository.'],
  [
    'storage_full',
    'A storage limit was reached, by what the run pushed or kept, or by its log.',
    'The message says which limit and who can raise it. Then resume the run.',
  ],
  ['push_rejected', 'The code host rejected the push.', 'The message says why. Resume the run to try again.'],
  [
    'secret_in_work',
    "The changes to be pushed contain one of the run's secrets.",
    'The message includes the file and line. Resume the run to remove the secret, including from its commits.',
  ],
  [
    'canary_found',
    'A canary (a fake credential planted in the sandbox) appeared in what the run printed, wrote, or pushed.',
    'Read the log. Something led the agent to look for credentials. None of the work was pushed.',
  ],
  ['repository_not_found', 'The repository no longer exists.', 'Import or create it again.'],
  [
    'repository_unavailable',
    'The code host of the repository could not be reached for an hour, so the run could not begin.',
    'Resume the run when the host is reachable.',
  ],
  [
    'repository_unauthorized',
    'The code host refuses the credentials of the integration.',
    'Renew the token or the App of the integration, then resume the run.',
  ],
  [
    'repository_forbidden',
    'The code host does not let the integration read the repository.',
    'Give it access at the code host, then resume the run.',
  ],
  [
    'repository_invalid',
    "Git refuses the repository's contents.",
    'The message says which object is at fault. Fix it in the repository.',
  ],
  [
    'worker_lost',
    'The worker was lost at the same step several times.',
    'Find the cause in the service log, then resume the run.',
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
    'Generated from the code by `npm run generate`. Do not edit.',
    '',
    '## Error responses',
    '',
    'Every error has the body `{message, status_code, code, request_id}`, plus `detail` if the request was not valid.',
    '',
    '| `code` | Status | Meaning |',
    '|---|---|---|',
    ...answers,
    '',
    '## Failed runs',
    '',
    'A failed run has an `error` with `{code, message, retryable}`, and its log ends with an ERROR entry with the same message.',
    '',
    '| `error.code` | Why | What to do |',
    '|---|---|---|',
    ...runs,
    '',
  ].join('\n')
}
