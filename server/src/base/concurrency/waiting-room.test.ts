import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { WaitingRoom, type Seat } from './waiting-room.ts'

const never = new AbortController().signal
const LONG_MS = 60_000

/** Seats that wait, and the order in which they are woken. */
function sit(room: WaitingRoom, kinds: string[], restMs = LONG_MS) {
  const woken: number[] = []
  const seats = kinds.map((kind) => room.enter(kind))
  seats.forEach((seat, n) => void seat.wait(restMs, never).then(() => woken.push(n)))
  return { seats, woken }
}

const settle = () => sleep(5)

describe('of those that wait', () => {
  test('one of each kind is woken by news, whoever has waited longest', async () => {
    const room = new WaitingRoom()
    const { woken } = sit(room, ['a', 'a', 'b', 'a'])
    room.wakeOneOfEach()
    await settle()
    assert.deepEqual(woken, [0, 2])
    room.wakeOneOfEach()
    await settle()
    assert.deepEqual(woken, [0, 2, 1])
  })

  test('one that finds something wakes the next of its kind', async () => {
    const room = new WaitingRoom()
    const { seats, woken } = sit(room, ['a', 'a', 'b'])
    seats[0]!.wakeNext()
    await settle()
    assert.deepEqual(woken, [0])
  })

  test('one that cannot look passes its turn on, and only a turn that it has', async () => {
    const room = new WaitingRoom()
    const { seats, woken } = sit(room, ['a', 'a', 'a'])
    seats[2]!.pass()
    await settle()
    assert.deepEqual(woken, [])
    room.wakeOneOfEach()
    await settle()
    seats[0]!.pass()
    seats[0]!.pass()
    await settle()
    assert.deepEqual(woken, [0, 1])
  })

  test('one that leaves in its turn passes it on', async () => {
    const room = new WaitingRoom()
    const { seats, woken } = sit(room, ['a', 'a'])
    room.wakeOneOfEach()
    await settle()
    seats[0]![Symbol.dispose]()
    await settle()
    assert.deepEqual(woken, [0, 1])
  })

  test('news that came while nobody waited is for the first that does', async () => {
    const room = new WaitingRoom()
    const [one, other] = [room.enter('a'), room.enter('a')]
    room.wakeOneOfEach()
    await one.wait(LONG_MS, never)
    const woken: string[] = []
    void other.wait(LONG_MS, never).then(() => woken.push('other'))
    await settle()
    assert.deepEqual(woken, [])
  })

  test('a turn that was passed on while nobody waited is for the first that does', async () => {
    const room = new WaitingRoom()
    const [one, other] = [room.enter('a'), room.enter('a')]
    room.wakeOneOfEach()
    await one.wait(LONG_MS, never)
    one.pass()
    await other.wait(LONG_MS, never)
  })

  test('one that has nobody to pass its turn on to is not woken by that', async () => {
    const room = new WaitingRoom()
    const seat = room.enter('a')
    room.wakeOneOfEach()
    await seat.wait(LONG_MS, never)
    seat.pass()
    const woken: string[] = []
    void seat.wait(LONG_MS, never).then(() => woken.push('itself'))
    await settle()
    assert.deepEqual(woken, [])
  })

  test('those that all pass their turns on are woken once each, and by the timer one after the other', async () => {
    const room = new WaitingRoom()
    const stop = new AbortController()
    let looks = 0
    const look = async (seat: Seat, restMs: number) => {
      for (await seat.wait(restMs, stop.signal); !stop.signal.aborted; await seat.wait(restMs, stop.signal)) {
        looks++
        seat.pass()
        await sleep(5)
      }
    }
    const looking = Array.from({ length: 10 }, () => look(room.enter('a'), LONG_MS))
    room.wakeOneOfEach()
    await sleep(300)
    assert.equal(looks, 10)
    const timed = Array.from({ length: 10 }, () => look(room.enter('b'), 50))
    await sleep(240)
    assert.ok(looks >= 12 && looks <= 15, `looked ${looks} times`)
    stop.abort()
    await Promise.all([...looking, ...timed])
  })

  test('one that the timer woke, and that cannot look, has the next one woken as long after', async () => {
    const room = new WaitingRoom()
    const [one, other] = [room.enter('a'), room.enter('a')]
    const first = one.wait(50, never)
    let isWoken = false
    void other.wait(LONG_MS, never).then(() => (isWoken = true))
    await Promise.all([first, sleep(60)])
    one.pass()
    await sleep(10)
    assert.equal(isWoken, false)
    await sleep(200)
    assert.equal(isWoken, true)
  })

  test('one looks when nobody has for a while, one after the other', async () => {
    const room = new WaitingRoom()
    let looks = 0
    const stop = new AbortController()
    const look = async (seat: Seat) => {
      for (; !stop.signal.aborted; looks++) await seat.wait(20, stop.signal)
    }
    const looking = Array.from({ length: 100 }, () => look(room.enter('a')))
    await sleep(300)
    // One hundred would have looked 1,500 times.
    assert.ok(looks >= 2 && looks <= 20, `looked ${looks} times`)
    stop.abort()
    await Promise.all(looking)
  })

  test('whoever wants to look sooner decides when one does', async () => {
    const room = new WaitingRoom()
    const { woken } = sit(room, ['a'])
    void room.enter('a').wait(10, never)
    await sleep(50)
    assert.deepEqual(woken, [0])
  })

  test('one whose signal is aborted waits no more and takes nobody’s turn', async () => {
    const room = new WaitingRoom()
    const stop = new AbortController()
    const [one, other] = [room.enter('a'), room.enter('a')]
    const waiting = one.wait(LONG_MS, stop.signal)
    const woken: string[] = []
    void other.wait(LONG_MS, never).then(() => woken.push('other'))
    stop.abort()
    await waiting
    room.wakeOneOfEach()
    await settle()
    assert.deepEqual(woken, ['other'])
    await one.wait(0, stop.signal)
  })
})
