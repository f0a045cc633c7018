import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '#base/clock.ts'
import { one } from '#db/pool.ts'
import { makeOrganization, makeToken, makeTokenKeys } from '#test/make.ts'
import { testDb } from '#test/test-db.ts'
import { createStreamTicket } from './create-stream-ticket.ts'
import { findTicketOwner } from './find-ticket-owner.ts'
import { sweepStreamTickets } from './sweep-stream-tickets.ts'

const db = await testDb()
const keys = makeTokenKeys({ clock: systemClock })

test('tickets that nobody used in time are removed, the others stay good', async () => {
  const { id: organizationId, adminId: userId } = await makeOrganization(db)
  await makeToken(db, keys, { organizationId, userId })
  const { credentialId } = await one<{ credentialId: number }>(db, 'select id as "credentialId" from credentials')
  for (let n = 0; n < 3; n++) await createStreamTicket(db, keys, { organizationId, credentialId })
  await db.query('update stream_tickets set expires_at = now()')
  const { secret } = await createStreamTicket(db, keys, { organizationId, credentialId })
  assert.equal(await sweepStreamTickets(db), 3)
  assert.equal((await findTicketOwner(db, keys, secret))?.credentialId, credentialId)
  assert.equal(await sweepStreamTickets(db), 0)
})
