import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { weighSigns } from './priors.ts'
import { applyCandidate, makeCandidates } from './make-candidates.ts'
import { noIngredients } from './source-facts.ts'
import { firstSyntaxErrorLine, type Grammar, grammarOf, openParser } from '#adapters/engines/syntax/open-parser.ts'
import { madeChanges } from '#test/made-changes.ts'

test('the likeliest signs come from one table', () => {
  assert.deepEqual([weighSigns('<', '<='), weighSigns('&', '|'), weighSigns('|', '&')], [1, 0.9, 0.9])
  assert.ok(weighSigns('<', '!=') < weighSigns('<', '>'))
  assert.equal(weighSigns('not in', 'in'), 0.95)
})

describe('a candidate', () => {
  test('that takes a statement away is told of as that, also where a value is left of a call', async () => {
    const found = await madeChanges('python', 'class A:\n    def f(self):\n        self.g()\n        return 1\n')
    const gone = found.filter(({ changed }) => /^        (self|pass)$/m.test(changed)).map(({ kind }) => kind)
    assert.deepEqual([...new Set(gone)], ['deleted'])
    assert.ok(found.some(({ changed }) => /^        self$/m.test(changed)))
  })

  test('is made only where a failing test ran', async () => {
    const source = 'a = b + c\nd = e + f\n'
    const found = await madeChanges('python', source, [2])
    assert.ok(found.length > 0)
    assert.ok(found.every(({ changed }) => changed.startsWith('a = b + c\n')))
  })

  test('is made of a constant that a suspicious line uses, too', async () => {
    const javascript = 'const SCHEME = /^data:/\nexport const f = (text) => SCHEME.test(text)\n'
    assert.ok(
      (await madeChanges('javascript', javascript, [2])).some(({ changed }) =>
        changed.startsWith('const SCHEME = /^data:/i\n'),
      ),
    )
    const python =
      'class P:\n    power = {\n        "a": 50,\n    }\n    other = 7\n\n    def f(self):\n        return self.power["a"]\n'
    const found = await madeChanges('python', python, [8])
    assert.ok(found.some(({ changed }) => changed.includes('"a": 51')))
    assert.ok(found.every(({ changed }) => changed.includes('other = 7')))
  })

  test('leaves comments, imports and types alone', async () => {
    const source = "import { a } from './a.ts' // a < b\ntype T = { a: number }\nlet x: Array<number> = a"
    const found = await madeChanges('typescript', source)
    for (const { changed } of found) {
      assert.ok(changed.startsWith(source.split('let')[0]!), changed)
      assert.match(changed, /x: Array<number>/)
    }
  })

  test('that is the likelier mistake comes first, whatever the alphabet says', async () => {
    const orders: [grammar: Grammar, before: string, first: string, second: string][] = [
      ['python', 'x = a < b', 'x = a <= b', 'x = a != b'],
      ['javascript', 'x = a > b', 'x = a >= b', 'x = a !== b'],
      ['python', 'x = 7', 'x = 8', 'x = 70'],
      ['python', 'x = a // b', 'x = a / b', 'x = a - b'],
      ['javascript', 'if (a < b) c()', 'if (a <= b) c()', 'if (true) c()'],
    ]
    for (const [grammar, before, first, second] of orders) {
      const all = (await madeChanges(grammar, before)).map(({ changed }) => changed)
      assert.ok(all.indexOf(first) >= 0 && all.indexOf(first) < all.indexOf(second), `${first} before ${second}`)
    }
  })

  test('that calls a function which asks the same table comes before one that calls another', async () => {
    const source =
      'function other(k) {\n  return k\n}\nfunction knows(k) {\n  return t[k] || s[k]\n}\nfunction g(k) {\n  return t[k]\n}'
    const all = (await madeChanges('javascript', source, [8])).map(({ changed }) => changed)
    const placeOf = (name: string) => all.findIndex((changed) => changed.endsWith(`return ${name}(k)\n}`))
    assert.ok(placeOf('knows') >= 0 && placeOf('knows') < placeOf('other'))
  })

  test('adds nothing to what is true or false', async () => {
    const found = await madeChanges('javascript', 'const x = list.filter((one) => one.a === b)')
    const wrong = found.filter(({ changed }) => /\(one\.a === b\) [+-] 1/.test(changed))
    assert.deepEqual(wrong, [])
  })

  test('adds nothing to what is only asked whether it is true', async () => {
    const found = await madeChanges('javascript', 'if (a.b && !c) d(a.b)')
    const all = found.filter(({ kind }) => kind === 'off_by_one').map(({ changed }) => changed)
    assert.ok(all.includes('if (a.b && !c) d(a.b + 1)'))
    assert.deepEqual(
      all.filter((changed) => /(a\.b|c|\)) [+-] 1.* d/.test(changed)),
      [],
    )
  })

  test('that takes what is the same in every call for what varies comes later', async () => {
    const source = 'N = 1\ndef f(a, b):\n    N.g()\n    return a\n'
    const all = (await madeChanges('python', source, [4])).map(({ changed }) => changed)
    const [local, other] = ['b', 'N'].map((name) => all.indexOf(source.replace('return a', `return ${name}`)))
    assert.ok(local! >= 0 && local! < other!)
  })

  test('that is likely at an unlikely line comes before the crowd at a likely one', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `a.n${at}`)
    const source = `class C:\n    strict = True\n\n    def f(a):\n        return a.n0\n\n    def g(a):\n        return [${names.join(', ')}]\n`
    const parser = await openParser('python')
    const candidates = makeCandidates(parser, 'python', source, { 2: 0.15, 5: 1 })
    const flipped = candidates.findIndex(({ kind, line }) => kind === 'constant' && line === 2)
    const crowd = candidates.flatMap(({ kind, line }, at) => (kind === 'ingredient' && line === 5 ? at : []))
    assert.ok(crowd.length > 30 && flipped >= 0 && flipped < crowd[0]!, `${flipped} of ${crowd.join()}`)
  })

  test('takes conditions and statements of its own function first, and none that speak of variables of another', async () => {
    const many = Array.from({ length: 90 }, (_, at) => `  if (a.n${at} > 1) b()`).join('\n')
    const source = `const top = 1\nfunction f(a, other) {\n${many}\n  if (other > 2) b()\n  if (top > 3) b()\n}\nfunction g(c) {\n  if (c.d > 4) b(c)\n  if (c) e()\n}\n`
    const line = source.split('\n').indexOf('  if (c) e()') + 1
    const made = (await madeChanges('javascript', source, [line])).map(({ changed }) => changed.split('\n')[line - 1])
    assert.ok(made.includes('  if (c || (c.d > 4)) e()'))
    assert.ok(made.includes('  if (c || (top > 3)) e()'))
    assert.ok(!made.some((text) => text?.includes('other') || text?.includes('a.n')))
  })

  test('compares with a second text, letter or mark of the failing tests', async () => {
    const literals = { numbers: [], texts: ["'box'", "'it\\'s'", "'a-b.c'"], marks: ['-', '.'] }
    const textsOf = async (source: string) => {
      const found = makeCandidates(
        await openParser('python'),
        'python',
        source,
        { 1: 1 },
        { ...noIngredients, literals },
      )
      return found.map((candidate) => applyCandidate(source, candidate))
    }
    assert.ok((await textsOf("x = a[-1] == 's'")).includes("x = ((a[-1] == 's') or (a[-1] == 'x'))"))
    assert.ok((await textsOf('if a.isdigit(): b()')).includes("if (a.isdigit() or (a == '.')): b()"))
    assert.ok((await textsOf("x = a != 'boxes'")).includes("x = ((a != 'boxes') and (a != 'box'))"))
    assert.ok((await textsOf("x = '[a-z]+'")).includes("x = '[a-z.]+'"))
    assert.ok((await textsOf("x = '[.a]+'")).includes("x = '[.a-]+'"))
  })

  test('puts into a text by which a failing test told two apart', async () => {
    const differences = [{ before: 'Hello', from: '', to: ',', after: ' Ada' }]
    const failures = { differences, exceptions: ['OverflowError'], words: new Set(['slice']) }
    const textsOf = async (grammar: Grammar, source: string, line = 1) => {
      const found = makeCandidates(
        await openParser(grammar),
        grammar,
        source,
        { [line]: 1 },
        { ...noIngredients, failures },
      )
      return found.map((candidate) => applyCandidate(source, candidate))
    }
    assert.ok((await textsOf('javascript', 'const a = `Hello ${name}`')).includes('const a = `Hello, ${name}`'))
    assert.ok((await textsOf('python', "a = f'Hello {name}'")).includes("a = f'Hello, {name}'"))
    assert.ok((await textsOf('javascript', 'const a = b')).includes("const a = (b + ',')"))
    assert.ok(!(await textsOf('python', "a = 'Bye'")).some((text) => /'[Bye]*,[Bye]*'/.test(text)))
    const source = 'try:\n    a()\nexcept (KeyError, ValueError) as e:\n    pass\n'
    const caught = source.replace('ValueError', 'ValueError, OverflowError')
    assert.ok((await textsOf('python', source, 3)).includes(caught))
    const asked = await textsOf('python', 'x = isinstance(a, int)')
    assert.ok(asked.includes('x = isinstance(a, (int, slice))'))
    assert.ok(!asked.some((text) => text.includes('frozenset')))
  })

  test('comes sooner where it puts in a word that the failing tests end with', async () => {
    const source = 'def f(a, b, context, d):\n    return g(a, b)\n'
    const placeWith = async (words: string[]) => {
      const failures = { ...noIngredients.failures, words: new Set(words) }
      const found = makeCandidates(
        await openParser('python'),
        'python',
        source,
        { 2: 1 },
        { ...noIngredients, failures },
      )
      return found.findIndex((one) => applyCandidate(source, one).includes('g(a, b, context)'))
    }
    const [named, plain] = [await placeWith(['context']), await placeWith([])]
    assert.ok(named >= 0 && named < plain, `${named}, ${plain}`)
  })

  test('comes sooner where it uses what the function makes for nothing', async () => {
    const placeIn = async (grammar: Grammar, source: string, [from, to]: [string, string]) => {
      const place = (await madeChanges(grammar, source)).findIndex(
        ({ changed }) => changed === source.replace(from, to),
      )
      assert.ok(place >= 0)
      return place
    }
    const carried = (last: string) =>
      `def f(a):\n    c = 0\n    for b in a:\n        c, d = divmod(b, 10)\n        g(d${last})\n    return c\n`
    const term: [string, string] = ['divmod(b, ', 'divmod(b + c, ']
    assert.ok((await placeIn('python', carried(''), term)) < (await placeIn('python', carried(', c'), term)) / 2)
    const unread = (used: string) => `function f(a, b, c) {\n  const d = a + ${used}\n  return b * d\n}`
    const name: [string, string] = ['return b', 'return c']
    assert.ok((await placeIn('javascript', unread('1'), name)) < (await placeIn('javascript', unread('c'), name)))
  })

  test('that changes what is gone through comes later', async () => {
    const source = (body: string) => `def f(a, b):\n    for c in a:\n        ${body}\n`
    const placeIn = async (body: string) =>
      (await madeChanges('python', source(body))).findIndex(({ changed }) => changed === source(body.replace('b', 'a')))
    assert.ok((await placeIn('b.extend(c)')) > (await placeIn('b[1] = c')))
  })

  test('that sets apart what is written alike comes later', async () => {
    const source = (second: string) => `def f(a, b):\n    c = a[1] if a else 0\n    d = ${second}\n    return c - d\n`
    const placeIn = async (second: string) => {
      const text = source(second)
      const found = await madeChanges('python', text)
      return found.findIndex(({ changed }) => changed === text.replace('if a else 0', 'if a else 1'))
    }
    assert.ok((await placeIn('b[1] if b else 0')) > (await placeIn('b[1] and b')))
  })

  test('is also made at all places of a function at once', async () => {
    const source = 'def f(a, b):\n    c = a + 1\n    return c - a\n'
    const all = (await madeChanges('python', source)).map(({ changed }) => changed)
    assert.ok(all.includes('def f(a, b):\n    c = b + 1\n    return c - b\n'))
  })

  test('comes in the same order each time, each text once', async () => {
    const source = 'def f(a, b):\n    if a < b and b > 3:\n        return a[1:b]\n    return max(a, b) + 1\n'
    const [first, second] = [await madeChanges('python', source), await madeChanges('python', source)]
    assert.deepEqual(first, second)
    assert.ok(first.length > 300)
  })
})

describe('the grammar', () => {
  test('is told by the name of a file', () => {
    assert.deepEqual(['a.py', 'a.mjs', 'a.ts', 'a.tsx', 'a.cts'].map(grammarOf), [
      'python',
      'javascript',
      'typescript',
      'tsx',
      'typescript',
    ])
  })

  test('finds the line of a syntax error', async () => {
    assert.equal(firstSyntaxErrorLine(await openParser('python'), 'a = 1\nb = (\n'), 2)
    assert.equal(firstSyntaxErrorLine(await openParser('javascript'), 'a()\n'), null)
  })
})
