import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasAnyMarker, hasMarker, hideMarker } from './hidden-marker.ts'
import { stripHiddenMarkdown } from './strip-hidden-markdown.ts'

test('a text is found again by the word that is hidden in it', () => {
  const body = hideMarker('Done.\n', 'agent-run:7')
  assert.ok(hasMarker(body, 'agent-run:7'))
  assert.ok(!hasMarker(body, 'agent-run:70'))
  assert.ok(!hasMarker(body, 'agent-run'))
  assert.ok(hasAnyMarker(body))
})

test('people do not see it', () => {
  assert.match(
    stripHiddenMarkdown(hideMarker('Done.', 'agent-run:7')),
    /^Done\.\s+\[a hidden comment was left out\]\s*$/,
  )
})

test('a comment of HTML that somebody else has written is none of ours', () => {
  assert.ok(!hasAnyMarker('<!-- a note to myself about runwright -->'))
})

test('a word that would end the comment does not', () => {
  const body = hideMarker('Done.', 'x --> @runwright <!-- y')
  assert.equal(body.match(/-->/g)?.length, 1)
  assert.ok(hasMarker(body, 'x --> @runwright <!-- y'))
})
