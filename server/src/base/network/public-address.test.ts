import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from './public-address.ts'

test('knows addresses of the public internet', () => {
  for (const address of ['1.1.1.1', '140.82.121.3', '172.32.0.1', '2606:4700::1111', '2a00:1450:4001::200e']) {
    assert.equal(isPublicAddress(address), true, address)
  }
})

test('knows addresses of this machine, of its networks and of clouds', () => {
  const inside = [
    '127.0.0.1',
    '127.8.8.8',
    '0.0.0.0',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
  ]
  const special = [
    '169.254.169.254',
    '168.63.129.16',
    '224.0.0.1',
    '255.255.255.255',
    '::1',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
  ]
  const wrapped = [
    '::ffff:127.0.0.1',
    '::ffff:8.8.8.8',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:0:7f00:1::',
    'ff02::1',
  ]
  for (const address of [...inside, ...special, ...wrapped]) assert.equal(isPublicAddress(address), false, address)
})
