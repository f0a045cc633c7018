import { Type } from 'typebox'
import { jobKinds } from '#domain/hosts/jobs/job.ts'
import { Component, Id, Nullable, PageOf, Time, Word } from './fields.ts'

export const JobParams = Type.Object({ org_id: Id, job_id: Id })

const FailedJobBody = Component('FailedJob', {
  id: Id,
  kind: Word(jobKinds, {
    description:
      '`host_event`: react to an event on a code host. `delivery`: read a webhook. `status_comment`: post the answer of a run. `fixer`: check on a pull request and fix its failing checks. `review`: start a review.',
  }),
  subject: Nullable(
    Type.String({ description: 'What the job is about, such as `pull:7`, `branch:main`, or the type of a webhook.' }),
  ),
  repo_id: Nullable(Id),
  agent_run_id: Nullable(Id),
  problem: Type.String({ description: 'Why the last try failed.' }),
  tries: Type.Integer({ minimum: 0 }),
  created_at: Time,
  gave_up_at: Time,
})

export const jobComponents = [FailedJobBody, PageOf(FailedJobBody)]
