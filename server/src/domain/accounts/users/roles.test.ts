import assert from 'node:assert/strict'
import { test } from 'node:test'
import { may, permissions, roleMay, roles, scopes, scopesOfRole, widenScopes, type Permission } from './roles.ts'

const all = Object.keys(permissions) as Permission[]
const allowed = (holder: Parameters<typeof may>[0]) => all.filter((permission) => may(holder, permission))

test('an ADMIN may everything, a MANAGER less, a MEMBER least, a stranger nothing', () => {
  const counts = [...roles, null].map((role) => allowed({ role, scopes }).length)
  assert.equal(counts[0], all.length)
  assert.deepEqual(
    counts,
    counts.toSorted((one, other) => other - one),
  )
  assert.equal(new Set(counts).size, counts.length)
  assert.equal(counts.at(-1), 0)
})

test('a MEMBER uses agents and reads; a MANAGER manages what agents work with; an ADMIN the people', () => {
  const reached = (role: (typeof roles)[number]) => all.filter((permission) => permissions[permission].role === role)
  assert.deepEqual(reached('MEMBER'), [
    'read',
    'use_agents',
    'push',
    'edit_pulls',
    'manage_profile',
    'manage_own_tokens',
  ])
  assert.ok(reached('MANAGER').every((permission) => permissions[permission].scope === 'manage'))
  assert.ok(reached('ADMIN').every((permission) => permissions[permission].scope === 'admin'))
})

test('a scope takes from what a role may, and never adds to it', () => {
  for (const role of roles) {
    for (const scope of scopes) {
      for (const permission of allowed({ role, scopes: widenScopes([scope]) })) {
        assert.ok(roleMay(role, permission))
      }
    }
    assert.deepEqual(allowed({ role, scopes: scopesOfRole(role) }), allowed({ role, scopes }))
  }
  assert.deepEqual(allowed({ role: 'ADMIN', scopes: ['read'] }), ['read'])
})

test('a scope takes in those before it, whatever the order they are named in', () => {
  assert.deepEqual(widenScopes(['read']), ['read'])
  assert.deepEqual(widenScopes(['manage', 'read']), ['read', 'run', 'manage'])
  assert.deepEqual(widenScopes(['admin']), [...scopes])
})
