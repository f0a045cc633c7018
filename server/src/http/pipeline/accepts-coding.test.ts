import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptsCoding } from './accepts-coding.ts'

test('a coding that is named, or any, is wanted', () => {
  for (const header of [
    'gzip',
    'GZIP',
    'br, gzip',
    ' gzip ; q=0.1 ',
    'gzip;Q=1.000',
    '*',
    'br;q=1, *;q=0.2',
    'gzip;q=0.5, identity;q=0.5',
  ])
    assert.ok(acceptsCoding(header, 'gzip'), header)
})

test('a coding that is not named, or refused, or wanted less than the plain answer, is not', () => {
  const refusals = [
    undefined,
    '',
    'br',
    'gzip;q=0',
    'gzip ; q=0.000',
    '*;q=0',
    'gzip;q=0, *',
    'identity, gzip;q=0.5',
    'gzip;q=2',
    'gzip;q=-1',
    'gzip;q=',
    'gzip;q=high',
    'gzipped',
    ',;,=',
  ]
  for (const header of refusals) assert.ok(!acceptsCoding(header, 'gzip'), header)
})
