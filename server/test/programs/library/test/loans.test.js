import assert from 'node:assert/strict'
import { beforeEach, describe, it } from 'node:test'
import { Loans } from '../src/loans.js'

describe('loans', () => {
  let loans
  beforeEach(() => {
    loans = new Loans()
    loans.lend('Emma', 'ada', '2026-01-01')
    loans.lend('Persuasion', 'ada', '2026-01-10')
  })

  it('knows what a member has', () => {
    assert.deepEqual(loans.of('ada'), ['Emma', 'Persuasion'])
    assert.deepEqual(loans.of('bob'), [])
  })

  it('does not lend what is out', () => {
    assert.throws(() => loans.lend('Emma', 'bob', '2026-01-02'), /is out/)
  })

  it('takes a book back', () => {
    loans.giveBack('Emma')
    assert.deepEqual(loans.of('ada'), ['Persuasion'])
  })

  it('lends again what came back', () => {
    loans.giveBack('Emma')
    loans.lend('Emma', 'bob', '2026-01-05')
    assert.deepEqual(loans.of('bob'), ['Emma'])
    assert.deepEqual(loans.of('ada'), ['Persuasion'])
  })

  it('finds what is overdue', () => {
    assert.deepEqual(loans.overdue('2026-01-23').map((loan) => loan.book), ['Emma'])
  })
})
