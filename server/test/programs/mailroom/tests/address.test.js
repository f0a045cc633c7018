const assert = require('node:assert')
const test = require('node:test')
const { format } = require('../lib/address.js')

test('leaves out what is not there', (t) => {
  t.assert.equal(format({ name: 'Ada', city: 'London' }), 'Ada\nLondon')
  assert.equal(format({ name: 'Ada', street: 'High St 1', zip: 'N1', city: 'London' }), 'Ada\nHigh St 1\nN1 London')
})
