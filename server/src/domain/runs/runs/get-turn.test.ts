import assert from 'node:assert/strict'
import { test } from 'node:test'
import { saveRules } from '#domain/accounts/organizations/save-rules.ts'
import { updateMe } from '#domain/accounts/users/update-me.ts'
import { makeRun } from '#test/make-run.ts'
import { makeOrganization } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { getTurn } from './get-turn.ts'

const db = await testDb()

test('a turn is told the rules of the organization and of the person who started the run, as they stand now', async () => {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  const { id: runId } = await makeRun(db, { organizationId, userId })
  const areDetected = true
  assert.deepEqual((await getTurn(db, { organizationId, runId })).rules, {
    organization: null,
    person: null,
    areDetected,
  })
  await saveRules(db, { organizationId, rules: 'Tests first.\n' })
  await updateMe(db, { organizationId, userId, fullName: undefined, customPrompt: 'Be brief.' })
  assert.deepEqual((await getTurn(db, { organizationId, runId })).rules, {
    organization: 'Tests first.\n',
    person: 'Be brief.',
    areDetected,
  })
  await saveRules(db, { organizationId, rules: ' ' })
  await db.query(`update organizations set settings = '{"enable_rules_detection": false}' where id = $1`, [
    organizationId,
  ])
  const { rules } = await getTurn(db, { organizationId, runId })
  assert.deepEqual(rules, { organization: null, person: 'Be brief.', areDetected: false })
})
