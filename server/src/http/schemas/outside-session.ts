import { Type } from 'typebox'
import { runStatuses } from '#domain/runs/run.ts'
import { Component, Id, Word } from './fields.ts'

const OutsideSession = Component('OutsideSession', {
  session_id: Type.String(),
  agent_run_id: Type.Integer({ ...Id, description: 'The run that shows the session.' }),
  status: Word(runStatuses),
  web_url: Type.String(),
})

const SessionReport = Component('SessionReport', {
  agent_run_id: Id,
  entries: Type.Integer({ minimum: 0, description: 'How many log entries the line has become.' }),
})

export const outsideSessionComponents = [OutsideSession, SessionReport]
export const SessionId = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$',
  description: 'As the agent names it.',
})
export const SessionParams = Type.Object({ org_id: Id, session_id: SessionId })
