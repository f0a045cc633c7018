import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LoopShare } from './loop-share.ts'

/** What share of the time each of `count` has that take as much as they may. */
function flood(count: number, share = makeShare()) {
  const floods = Array.from({ length: count }, () => ({ spender: share.open(), restsUntil: 0, spentMs: 0 }))
  const end = share.clock.ms + 60_000
  while (share.clock.ms < end) {
    const next = floods.find((each) => each.restsUntil <= share.clock.ms)
    if (!next) share.clock.ms += 1
    else {
      share.clock.ms += 2
      next.spentMs += 2
      next.restsUntil = share.clock.ms + next.spender.spend(2)
    }
  }
  return floods.map(({ spentMs }) => spentMs / 60_000)
}

function makeShare() {
  const clock = { ms: 0 }
  return Object.assign(new LoopShare({ each: 1 / 8, all: 1 / 3, now: () => clock.ms }), { clock })
}

test('leaves one that takes all it can get an eighth', () => {
  const [one] = flood(1)
  assert.ok(one! > 0.1 && one! < 0.14, `${one}`)
})

test('leaves all together a third, each the same', () => {
  const shares = flood(20)
  const sum = shares.reduce((total, each) => total + each, 0)
  assert.ok(sum > 0.2 && sum < 0.36, `${sum}`)
  assert.ok(Math.max(...shares) < 2 * Math.min(...shares))
})

test('never lets one rest that takes little, whatever others take', () => {
  const share = makeShare()
  const quiet = share.open()
  flood(20, share)
  for (let n = 0; n < 100; n++) {
    share.clock.ms += 1_000
    assert.equal(quiet.spend(1), 0)
  }
})
