import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { describe, test } from 'node:test'
import { EngineError } from '#adapters/engines/engine.ts'
import type { Sandbox } from '#adapters/sandboxes/sandbox.ts'
import { MemoryTurn, type MemoryTurnOptions } from '#test/memory-turn.ts'
import { testSandboxes } from '#test/test-sandboxes.ts'
import { openRepair } from './repair.ts'

const MiB = 1024 * 1024
const limits = { memoryBytes: 2048 * MiB, processes: 512, diskBytes: 1024 * MiB, lifetimeMs: 300_000 }
const skip = existsSync('/usr/bin/go') ? false : 'there is no go on this machine (Debian: golang-go)'
const { provider } = testSandboxes()
const engine = openRepair({ alternativesMs: 500 })
let made = 0

type Files = Record<string, string>

/** A shop of two packages; the fault is that a price at the bound gets no discount. */
const shop: Files = {
  'go.mod': 'module example.com/shop\n\ngo 1.19\n',
  'money/money.go': `package money

// Percent takes a share off an amount in cents.
func Percent(amount, percent int) int {
	return amount - amount*percent/100
}
`,
  'cart/cart.go': `package cart

import "example.com/shop/money"

const bound = 1000

type Item struct {
	Name  string
	Price int
	Count int
}

// Total is what the items cost, with 10 % off from the bound on.
func Total(items []Item) int {
	sum := 0
	for _, item := range items {
		sum += item.Price * item.Count
	}
	if sum > bound {
		return money.Percent(sum, 10)
	}
	return sum
}

func Count(items []Item) int {
	count := 0
	for _, item := range items {
		count += item.Count
	}
	return count
}
`,
  'cart/cart_test.go': `package cart

import "testing"

func TestTotal(t *testing.T) {
	for _, one := range []struct {
		name  string
		items []Item
		total int
	}{
		{"nothing", nil, 0},
		{"below the bound", []Item{{"cup", 300, 3}}, 900},
		{"at the bound", []Item{{"cup", 500, 2}}, 900},
		{"above the bound", []Item{{"cup", 1000, 2}}, 1800},
	} {
		t.Run(one.name, func(t *testing.T) {
			if got := Total(one.items); got != one.total {
				t.Errorf("Total(%v) = %d, want %d", one.items, got, one.total)
			}
		})
	}
}

func TestCount(t *testing.T) {
	if got := Count([]Item{{"cup", 1, 2}, {"jug", 1, 3}}); got != 5 {
		t.Errorf("got %d, want 5", got)
	}
}
`,
  'money/money_test.go': `package money

import "testing"

func TestPercent(t *testing.T) {
	if Percent(200, 50) != 100 {
		t.Fail()
	}
}
`,
}

async function openWorkspace(files: Files): Promise<Sandbox> {
  const sandbox = await provider.create({ id: `go-${++made}`, limits })
  for (const [file, text] of Object.entries(files)) {
    await sandbox.writeFile(`${sandbox.paths.workspace}/${file}`, Buffer.from(text))
  }
  return sandbox
}

async function refusal(files: Files, options: Partial<MemoryTurnOptions> = {}): Promise<EngineError> {
  await using sandbox = await openWorkspace(files)
  const error: unknown = await engine.run(new MemoryTurn({ sandbox, ...options })).then(
    (answer) => assert.fail(`It was repaired: ${answer.answer}`),
    (thrown: unknown) => thrown,
  )
  assert.ok(error instanceof EngineError, String(error))
  return error
}

describe('the repair engine and Go', { skip }, () => {
  test('a fault is found by the tests and subtests that fail, and fixed', async (t) => {
    await using sandbox = await openWorkspace(shop)
    const turn = new MemoryTurn({ sandbox })
    const began = performance.now()
    const answer = await engine.run(turn)
    const { workspace } = sandbox.paths
    const changed = (await sandbox.readFile(`${workspace}/cart/cart.go`)).toString()
    t.diagnostic(`${Math.round((performance.now() - began) / 1000)} s`)
    assert.match(changed, /if sum >= bound/)
    assert.match(answer.answer, /TestTotal\/at_the_bound/)
    assert.match(answer.answer, /`go test \.\/\.\.\.` in fresh processes: 7 tests pass/)
    const listed = await sandbox.exec({ shell: 'find . -type f | sort', timeoutMs: 10_000 }).result
    assert.equal(listed.stdout.toString().trim().split('\n').length, Object.keys(shop).length)
  })

  test('a package that does not compile is named with its place', async () => {
    const broken = { ...shop, 'cart/cart.go': shop['cart/cart.go']!.replace('sum := 0', 'sum := nothing') }
    const { code, message } = await refusal(broken)
    assert.equal(code, 'no_fix_found')
    assert.match(message, /does not compile: cart\/cart\.go:15:9: undefined: nothing/)
  })

  test('a machine without Go is named', async () => {
    const repository = { checks: [{ command: 'PATH=/nowhere go test ./...' }] }
    const { message } = await refusal({ 'a_test.go': shop['money/money_test.go']! }, { repository } as never)
    assert.match(message, /The program "go" is not installed/)
  })
})
