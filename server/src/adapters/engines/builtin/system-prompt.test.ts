import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemPrompt } from './system-prompt.ts'

const turn = { repository: null, outputSchema: null, planApproval: false, secrets: [] }

test('a model is told by which names it may ask for secrets, and which every command has', () => {
  const prompt = systemPrompt({
    ...turn,
    secrets: [
      { name: 'NPM_TOKEN', isEverywhere: false },
      { name: 'DATABASE_URL', isEverywhere: true },
      { name: 'SENTRY_TOKEN', isEverywhere: false },
    ],
  })
  assert.match(prompt, /where shell's `secrets` names them: NPM_TOKEN, SENTRY_TOKEN\./)
  assert.match(prompt, /every command has as environment variables: DATABASE_URL\./)
})

test('where there are no secrets, nothing is said of them', () => {
  assert.doesNotMatch(systemPrompt(turn), /environment variables/)
})
