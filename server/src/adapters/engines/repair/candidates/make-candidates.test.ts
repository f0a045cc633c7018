import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Kind } from './kinds.ts'
import { weighSigns } from './priors.ts'
import { applyCandidate, makeCandidates } from './make-candidates.ts'
import { noIngredients } from './source-facts.ts'
import {
  firstSyntaxErrorLine,
  type Grammar,
  grammarOf,
  hasSyntaxError,
  openParser,
} from '#adapters/engines/syntax/open-parser.ts'

async function changes(grammar: Grammar, source: string, lines?: number[]): Promise<{ kind: Kind; changed: string }[]> {
  const request = lines ?? source.split('\n').map((_, at) => at + 1)
  const parser = await openParser(grammar)
  const candidates = makeCandidates(parser, grammar, source, Object.fromEntries(request.map((line) => [line, 1])))
  return candidates.map((candidate) => ({ kind: candidate.kind, changed: applyCandidate(source, candidate) }))
}

test('the likeliest signs come from one table', () => {
  assert.deepEqual([weighSigns('<', '<='), weighSigns('&', '|'), weighSigns('|', '&')], [1, 0.9, 0.9])
  assert.ok(weighSigns('<', '!=') < weighSigns('<', '>'))
  assert.equal(weighSigns('not in', 'in'), 0.95)
})

/** As the body of a function, which is all that these examples need of Go. */
const inGo = (body: string) => `package a\n\nfunc f(a, b int, list []int) int {\n\t${body}\n}\n`

/** The same of Python. */
const inPython = (line: string) => `def f(a, b):\n    if a > b:\n        ${line}\n    return b\n`

const examples: [grammar: Grammar, kind: Kind, before: string, after: string][] = [
  [
    'javascript',
    'near_condition',
    'function f(s, level) {\n  return s.flat ? level - 1 : level\n}',
    'function f(s, level) {\n  return s.flat && (level > 0) ? level - 1 : level\n}',
  ],
  [
    'python',
    'last_part',
    'def f(a):\n    for b in a:\n        if g(b):\n            c.append(b)\n    return c\n',
    'def f(a):\n    for b in a:\n        if g(b):\n            c.append(b)\n    if b: c.append(b)\n    return c\n',
  ],
  [
    'javascript',
    'last_part',
    'function f(a) {\n  for (const b of a) {\n    c.push(b)\n  }\n  return c\n}',
    'function f(a) {\n  for (const b of a) {\n    c.push(b)\n  }\n  if (b.length) c.push(b)\n  return c\n}',
  ],
  ['javascript', 'part', 'f(a[0])', 'f(a.at(-1))'],
  ['javascript', 'part', 'f(a[a.length - 1])', 'f(a[0])'],
  ['python', 'part', inPython('return a[-1]'), inPython('return a[0]')],
  [
    'javascript',
    'lost_value',
    'function f(list) {\n  let [a, b] = [0, 0]\n  for (const c of list) {\n    a = c\n  }\n  return b\n}',
    'function f(list) {\n  let [a, b] = [0, 0]\n  for (const c of list) {\n    b = a\n    a = c\n  }\n  return b\n}',
  ],
  [
    'python',
    'reset',
    inPython('a.append(b)\n        b.append(1)'),
    inPython('a.append(b)\n        a.clear()\n        b.append(1)'),
  ],
  [
    'javascript',
    'reset',
    'function f(a, b) {\n  a.push(b)\n  return a\n}',
    'function f(a, b) {\n  a.push(b)\n  a.length = 0\n  return a\n}',
  ],
  [
    'javascript',
    'reset',
    'function f(a) {\n  let b = 0\n  for (const c of a) {\n    b += c\n    g(b)\n  }\n}',
    'function f(a) {\n  let b = 0\n  for (const c of a) {\n    b += c\n    g(b)\n    b = 0\n  }\n}',
  ],
  [
    'python',
    'taken_back',
    inPython('a.append(b)\n        f(a, b - 1)'),
    inPython('a.append(b)\n        f(a, b - 1)\n        a.pop()'),
  ],
  ['python', 'guard', inPython('a.pop()'), inPython('if a: a.pop()')],
  ['python', 'wrong_name', inPython('c = [0]'), inPython('c = [b]')],
  ['python', 'swapped_operands', inPython('return a in b'), inPython('return b in a')],
  ['javascript', 'swapped_arguments', 'f({ ...b, ...a })', 'f({ ...a, ...b })'],
  ['python', 'swapped_arguments', 'f({**b, **a})', 'f({**a, **b})'],
  ['javascript', 'negation', 'f(a & b)', 'f(a & ~b)'],
  ['python', 'negation', inPython('a &= b'), inPython('a &= ~b')],
  [
    'javascript',
    'unlike',
    'function f(a, b) {\n  const c = floor(a / 3) * 3\n  const d = (b % 3) * 3\n  return c + d\n}',
    'function f(a, b) {\n  const c = floor(a / 3) * 3\n  const d = floor(b / 3) * 3\n  return c + d\n}',
  ],
  ['javascript', 'unlike', 'f((a[i] ?? 0) - b[i])', 'f((a[i] ?? 0) - (b[i] ?? 0))'],
  ['javascript', 'unlike', 'f(a.g(1).h(), b)', 'f(a.g(1).h(), b.g(1).h())'],
  [
    'python',
    'unlike',
    inPython("c = a.strip().split(',')\n        d = b.strip()"),
    inPython("c = a.strip().split(',')\n        d = b.strip().split(',')"),
  ],
  ['python', 'near_condition', inPython('if a: return b.c'), inPython('if a and (b is not None): return b.c')],
  [
    'javascript',
    'changed_value',
    'function f(stat) {\n  let size = stat.size\n  size -= 1\n  return stat.size\n}',
    'function f(stat) {\n  let size = stat.size\n  size -= 1\n  return size\n}',
  ],
  [
    'javascript',
    'deleted',
    'function f(list, x) {\n  list.push(x)\n}',
    'function f(list, x) {\n  [...list].push(x)\n}',
  ],
  ['python', 'deleted', inPython('a.append(b)'), inPython('list(a).append(b)')],
  [
    'python',
    'never_updated',
    'def f(a):\n    kept = []\n    for b in a:\n        while kept:\n            kept.pop()\n    return kept\n',
    'def f(a):\n    kept = []\n    for b in a:\n        while kept:\n            kept.pop()\n        kept.append(b)\n    return kept\n',
  ],
  ['javascript', 'dropped_element', "f(['a', 'b', 'c'])", "f(['a', 'c'])"],
  ['python', 'dropped_element', "x in {'a', 'b'}", "x in {'b'}"],
  ['javascript', 'type_check', 'if (a.b) f()', "if (typeof a.b === 'function') f()"],
  ['javascript', 'type_check', 'if (a[0] && b) f()', "if ((typeof a[0] === 'object') && (a[0] && b)) f()"],
  ['python', 'type_check', inPython('if a[0]: return 1'), inPython('if (isinstance(a[0], list)) and a[0]: return 1')],
  ['python', 'wider_class', inPython('return isinstance(a, list)'), inPython('return isinstance(a, (list, tuple))')],
  [
    'python',
    'wider_class',
    inPython('return isinstance(a, (list, str))'),
    inPython('return isinstance(a, (list, str, tuple))'),
  ],
  [
    'javascript',
    'part_asked',
    'function f(a, state) {\n  g(state.tag)\n  if (a > 1) g(a)\n}',
    'function f(a, state) {\n  g(state.tag)\n  if ((a > 1) || (state.tag != null)) g(a)\n}',
  ],
  [
    'python',
    'caught',
    'try:\n    a()\nexcept KeyError as e:\n    pass\n',
    'try:\n    a()\nexcept (KeyError, TypeError) as e:\n    pass\n',
  ],
  ['python', 'presence', inPython('if a.get(b): return 1'), inPython('if b in a: return 1')],
  ['python', 'presence', inPython('if not a[b]: return 1'), inPython('if b not in a: return 1')],
  ['javascript', 'presence', 'if (!a[b]) f()', 'if (!(b in a)) f()'],
  ['python', 'return', inPython('self.parse_error(a)'), inPython('raise self.parse_error(a)')],
  ['javascript', 'return', 'function f() {\n  new TypeError()\n}', 'function f() {\n  throw new TypeError()\n}'],
  ['python', 'argument', 'f(a, key=b)\nf(c)\n', 'f(a, key=b)\nf(c, key=b)\n'],
  [
    'python',
    'wrong_function',
    'def f(self, a):\n    self.g(a)\n    h(a)\n',
    'def f(self, a):\n    self.g(a)\n    self.g(a)\n',
  ],
  ['javascript', 'api_pair', 'f(a.hasOwnProperty(b))', 'f(Object.prototype.hasOwnProperty.call(a, b))'],
  ['javascript', 'api_pair', "f(a.split(''))", 'f(Array.from(a))'],
  [
    'javascript',
    'literal',
    'function f(c) {\n  return c.charCodeAt(0) < 100\n}',
    'function f(c) {\n  return c.charCodeAt(0) < 91\n}',
  ],
  ['javascript', 'text', "function f(c) {\n  return c === '('\n}", "function f(c) {\n  return c === '['\n}"],
  [
    'javascript',
    'arithmetic',
    'function f(a, b) {\n  return a - 1 / b\n}',
    'function f(a, b) {\n  return a / b - 1\n}',
  ],
  [
    'javascript',
    'inserted',
    'function f(p, i, j) {\n  const kept = p[i]\n  p[j] = kept\n}',
    'function f(p, i, j) {\n  const kept = p[i]\n  p[i] = p[j]\n  p[j] = kept\n}',
  ],
  [
    'javascript',
    'swapped_arguments',
    'function f(a, b) {\n  return a.indexOf(b)\n}',
    'function f(a, b) {\n  return b.indexOf(a)\n}',
  ],
  ['javascript', 'combined', 'function f(a) {\n  return a % 10\n}', 'function f(a) {\n  return (a / 10) % 10\n}'],
  ['javascript', 'arrow', 'const f = (a) => a.some(b > b < 1)', 'const f = (a) => a.some(b => b <= 1)'],
  ['javascript', 'arrow', 'const f = (a) => a.some(b > b)', 'const f = (a) => a.some(b => b)'],
  ['javascript', 'part', 'const f = (a) => Math.min(a)', 'const f = (a) => a[0]'],
  ['javascript', 'combined', "const f = (a, b) => a + b + '.'", "const f = (a, b) => a + '.' + b + '.'"],
  [
    'javascript',
    'swapped_operands',
    'function f(a) {\n  if (/,/.test(a)) return a.split(/;/)\n}',
    'function f(a) {\n  if (/;/.test(a)) return a.split(/,/)\n}',
  ],
  [
    'javascript',
    'boolean',
    'const f = (a) => a !== 1 || a !== 2 || a !== 3',
    'const f = (a) => a !== 1 && a !== 2 && a !== 3',
  ],
  ['python', 'boolean', inPython('return a or (b) or a'), inPython('return a and (b) and a')],
  [
    'javascript',
    'ingredient',
    'function f(a, m) {\n  if (a > 0 && a[0] < m) { m = a }\n}',
    'function f(a, m) {\n  if (a > 0 && a[0] < m) { m = a[0] }\n}',
  ],
  [
    'python',
    'ingredient',
    'def f(a, m):\n    if a[0] < m:\n        m = a\n    if a[1] < m:\n        m = a\n',
    'def f(a, m):\n    if a[0] < m:\n        m = a[0]\n    if a[1] < m:\n        m = a[1]\n',
  ],
  ['python', 'guard', inPython('a.append(b)'), inPython('if a == b: a.append(b)')],
  ['python', 'arithmetic', inPython('return a - b'), inPython('return a % b')],
  ['python', 'converted', inPython('return a == b'), inPython('return set(a) == set(b)')],
  ['python', 'converted', inPython('return [a, b]'), inPython('return ([a, b])[1:]')],
  [
    'javascript',
    'condition_strengthened',
    'function f(a) {\n  if (a > 0) g()\n}',
    'function f(a) {\n  if ((a % 2 !== 0) && (a > 0)) g()\n}',
  ],
  ['python', 'argument', inPython('return max(a)'), inPython('return max(a, b)')],
  ['python', 'combined', inPython('return a'), inPython('return a ** 3')],
  ['python', 'literal', inPython('return b'), inPython('return -1')],
  ['python', 'api_pair', inPython('return a.lower()'), inPython('return a.swapcase()')],
  ['python', 'condition_replaced', inPython('return True'), inPython('return a > b')],
  ['python', 'swapped_operands', inPython('return list(map(a, b * 2))'), inPython('return list(map(a, b)) * 2')],
  ['python', 'combined', inPython('return a + b'), inPython('return (a + b) / 2')],
  [
    'python',
    'never_updated',
    'def f(n):\n    while n:\n        g(n)\n',
    'def f(n):\n    while n:\n        g(n)\n        n -= 1\n',
  ],
  ['python', 'deleted', 'def f(a):\n    g(a)\n    h(a)\n    return a\n', 'def f(a):\n    pass\n    return a\n'],
  ['javascript', 'converted', 'function f(a) {\n  return a.b\n}', 'function f(a) {\n  return [...new Set(a.b)]\n}'],
  ['python', 'wrong_target', inPython('a[b] = max(b[a], 1)'), inPython('b[a] = max(b[a], 1)')],
  ['python', 'combined', inPython('return [a]'), inPython('return b + [a]')],
  ['python', 'combined', inPython('return len(a)'), inPython('return b + len(a)')],
  ['python', 'combined', inPython('return a'), inPython('return (a * a)')],
  ['go', 'comparison', inGo('if a > b {\n\t\treturn a\n\t}'), inGo('if a >= b {\n\t\treturn a\n\t}')],
  ['go', 'off_by_one_bound', inGo('return list[a]'), inGo('return list[a - 1]')],
  ['go', 'constant', inGo('return 10'), inGo('return 11')],
  ['go', 'wrong_name', inGo('return a * a'), inGo('return a * b')],
  ['go', 'assignment', inGo('a += b'), inGo('a -= b')],
  ['go', 'boolean', inGo('return a == 1 && b == 1'), inGo('return a == 1 || b == 1')],
  ['go', 'api_pair', inGo('return strings.Index(a, b)'), inGo('return strings.LastIndex(a, b)')],
  ['go', 'swapped_arguments', inGo('return g(a, b)'), inGo('return g(b, a)')],
  ['go', 'slice', inGo('return g(list[a:])'), inGo('return g(list[1:])')],
  ['go', 'block_scope', inGo('a := b'), inGo('a = b')],
  ['go', 'loop', inGo('for {\n\t\tbreak\n\t}'), inGo('for {\n\t\tcontinue\n\t}')],
  [
    'go',
    'iterated_copy',
    inGo('for _, one := range list {\n\t\tone.set(a)\n\t}'),
    inGo('for i := range list {\n\t\tlist[i].set(a)\n\t}'),
  ],
  [
    'go',
    'never_updated',
    inGo('best := 0\n\tfor _, one := range list {\n\t\tg(one)\n\t}'),
    inGo('best := 0\n\tfor _, one := range list {\n\t\tg(one)\n\t\tbest = one\n\t}'),
  ],
  [
    'go',
    'missing_else',
    inGo('if a > b {\n\t\tg(a)\n\t}\n\tg(b)'),
    inGo('if a > b {\n\t\tg(a)\n\t} else {\n\t\tg(b)\n\t}'),
  ],
  ['javascript', 'comparison', 'if (a < b) c()', 'if (a <= b) c()'],
  ['javascript', 'comparison', 'if (a === 0) c()', 'if (a <= 1) c()'],
  ['javascript', 'ingredient', "x = a.b || ''\ny = a.c", 'x = a.b || a.c\ny = a.c'],
  ['javascript', 'missing_call', 'function f(k) {\n  return t[k]\n}', 'function f(k) {\n  return f(k)\n}'],
  [
    'javascript',
    'condition_strengthened',
    'function f(a) {\n  if (a) g()\n}',
    'function f(a) {\n  if ((Object.keys(a).length === 0) && a) g()\n}',
  ],
  [
    'javascript',
    'argument',
    'function f(options) {\n  g({ sort: false })\n}',
    'function f(options) {\n  g({ sort: false, ...options })\n}',
  ],
  ['javascript', 'converted', 'function f() {\n  return a\n}', 'function f() {\n  return [a]\n}'],
  ['javascript', 'off_by_one_bound', 'const x = list[size]', 'const x = list[size - 1]'],
  ['javascript', 'constant', 'let n = 10', 'let n = 11'],
  ['javascript', 'wrong_name', 'function f(a, b) {\n  return a + a\n}', 'function f(a, b) {\n  return a + b\n}'],
  ['javascript', 'arithmetic', 'x = a + b', 'x = a - b'],
  ['javascript', 'assignment', 'x += 1', 'x -= 1'],
  ['javascript', 'nullish', 'x = a || 5', 'x = a ?? 5'],
  ['javascript', 'equality', 'x = a === b', 'x = a == b'],
  ['javascript', 'negation', 'if (a) b()', 'if (!a) b()'],
  ['javascript', 'api_pair', 'x = Math.min(a, b)', 'x = Math.max(a, b)'],
  ['javascript', 'swapped_arguments', 'f(a, b)', 'f(b, a)'],
  ['javascript', 'await', 'async function f() {\n  const x = g()\n}', 'async function f() {\n  const x = await g()\n}'],
  ['javascript', 'return', 'function f() {\n  g()\n}', 'function f() {\n  return g()\n}'],
  ['javascript', 'comparator', 'xs.sort((a, b) => a > b)', 'xs.sort((a, b) => a - b)'],
  ['javascript', 'comparator', 'xs.sort()', 'xs.sort((a, b) => a - b)'],
  ['javascript', 'block_scope', 'for (var i = 0; i < 3; i++) f(i)', 'for (let i = 0; i < 3; i++) f(i)'],
  ['javascript', 'regular_expression', "x = a.replace(/b/, '')", "x = a.replace(/b/g, '')"],
  ['javascript', 'regular_expression', 'x = /a+/.test(b)', 'x = /^a+/.test(b)'],
  ['javascript', 'regular_expression', 'x = /(?:a+)/', 'x = /(?:a*)/'],
  ['python', 'regular_expression', 'x = "[0-9]{6}"', 'x = "[0-9]{1,6}"'],
  ['python', 'regular_expression', "x = re.compile(r'^\\d$')", "x = re.compile(r'^\\d+$')"],
  ['javascript', 'api_pair', 'x = a.substring(1)', 'x = a.slice(1)'],
  ['javascript', 'optional_chain', 'x = a.b', 'x = a?.b'],
  ['javascript', 'shared_list', 'x = Array(3).fill([])', 'x = Array.from({ length: 3 }, () => ([]))'],
  [
    'javascript',
    'early_return',
    'function f(a) {\n  for (const b of a) {\n    g(b)\n    return a\n  }\n}',
    'function f(a) {\n  for (const b of a) {\n    g(b)\n    }\n  return a\n}',
  ],
  ['typescript', 'nullish', 'const x: number = a || 5', 'const x: number = a ?? 5'],
  ['python', 'comparison', 'x = a < b', 'x = a <= b'],
  ['python', 'equality', 'x = a is b', 'x = a == b'],
  ['python', 'arithmetic', 'x = a / b', 'x = a // b'],
  ['python', 'bounded', 'a[0] = b', 'a[0] = max(a[0], b)'],
  ['python', 'wrong_function', 'x = f(g(a), b)', 'x = g(f(a), b)'],
  ['python', 'missing_call', 'def f(a):\n    return [a]', 'def f(a):\n    return [f(a)]'],
  ['python', 'loop', 'def f(a):\n    if a:\n        a -= 1', 'def f(a):\n    while a:\n        a -= 1'],
  ['javascript', 'part', 'if (a > b) c()', 'if (a.length > b.length) c()'],
  ['javascript', 'defaulted', 'const [a, b] = c', 'const [a, b = 0] = c'],
  ['python', 'boolean', 'x = a and b', 'x = a or b'],
  ['python', 'slice', 'x = a[1:b]', 'x = a[:b]'],
  ['python', 'argument', 'x = a.pop()', 'x = a.pop(0)'],
  ['python', 'spread', 'x = [a]', 'x = list(a)'],
  ['javascript', 'spread', 'x = [a.b]', 'x = [...a.b]'],
  ['python', 'api_pair', "x = hasattr(a, 'b')", "x = getattr(a, 'b', None)"],
  ['python', 'converted', "x = a == 'AS'", "x = a.upper() == 'AS'"],
  ['javascript', 'converted', "x = a !== 'Utf-8'", "x = a.toLowerCase() !== 'utf-8'"],
  ['python', 'presence', 'if a:\n    b()', 'if a is not None:\n    b()'],
  ['python', 'presence', 'x = 1 if a and not b.c else 2', 'x = 1 if a and b.c is None else 2'],
  ['javascript', 'presence', 'if (a.b) c()', "if (typeof a.b === 'string') c()"],
  ['python', 'shared_list', 'x = [[0] * 3] * n', 'x = [[0] * 3 for _ in range(n)]'],
  [
    'python',
    'mutable_default',
    'def f(a, b=[]):\n    return b',
    'def f(a, b=None):\n    if b is None:\n        b = []\n    return b',
  ],
  [
    'python',
    'missing_self',
    'class A:\n    def f(self):\n        self.x = 1\n        return x',
    'class A:\n    def f(self):\n        self.x = 1\n        return self.x',
  ],
  [
    'python',
    'early_return',
    'def f(a):\n    for b in a:\n        g(b)\n        return b',
    'def f(a):\n    for b in a:\n        g(b)\n    return b',
  ],
  [
    'python',
    'never_updated',
    'def f(a):\n    last = 0\n    for b in a:\n        g(b, last)',
    'def f(a):\n    last = 0\n    for b in a:\n        g(b, last)\n        last = b',
  ],
]

describe('a candidate', () => {
  for (const [grammar, kind, before, after] of examples) {
    test(`of kind ${kind} makes ${JSON.stringify(after)} of ${JSON.stringify(before)}`, async () => {
      const found = (await changes(grammar, before)).find(({ changed }) => changed === after)
      assert.equal(found?.kind, kind)
      assert.equal(hasSyntaxError(await openParser(grammar), after), false)
    })
  }

  test('that takes a statement away is told of as that, also where a value is left of a call', async () => {
    const found = await changes('python', 'class A:\n    def f(self):\n        self.g()\n        return 1\n')
    const gone = found.filter(({ changed }) => /^        (self|pass)$/m.test(changed)).map(({ kind }) => kind)
    assert.deepEqual([...new Set(gone)], ['deleted'])
    assert.ok(found.some(({ changed }) => /^        self$/m.test(changed)))
  })

  test('is made only where a failing test ran', async () => {
    const source = 'a = b + c\nd = e + f\n'
    const found = await changes('python', source, [2])
    assert.ok(found.length > 0)
    assert.ok(found.every(({ changed }) => changed.startsWith('a = b + c\n')))
  })

  test('is made of a constant that a suspicious line uses, too', async () => {
    const javascript = 'const SCHEME = /^data:/\nexport const f = (text) => SCHEME.test(text)\n'
    assert.ok(
      (await changes('javascript', javascript, [2])).some(({ changed }) =>
        changed.startsWith('const SCHEME = /^data:/i\n'),
      ),
    )
    const python =
      'class P:\n    power = {\n        "a": 50,\n    }\n    other = 7\n\n    def f(self):\n        return self.power["a"]\n'
    const found = await changes('python', python, [8])
    assert.ok(found.some(({ changed }) => changed.includes('"a": 51')))
    assert.ok(found.every(({ changed }) => changed.includes('other = 7')))
  })

  test('leaves comments, imports and types alone', async () => {
    const source = "import { a } from './a.ts' // a < b\ntype T = { a: number }\nlet x: Array<number> = a"
    const found = await changes('typescript', source)
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
      const all = (await changes(grammar, before)).map(({ changed }) => changed)
      assert.ok(all.indexOf(first) >= 0 && all.indexOf(first) < all.indexOf(second), `${first} before ${second}`)
    }
  })

  test('that calls a function which asks the same table comes before one that calls another', async () => {
    const source =
      'function other(k) {\n  return k\n}\nfunction knows(k) {\n  return t[k] || s[k]\n}\nfunction g(k) {\n  return t[k]\n}'
    const all = (await changes('javascript', source, [8])).map(({ changed }) => changed)
    const placeOf = (name: string) => all.findIndex((changed) => changed.endsWith(`return ${name}(k)\n}`))
    assert.ok(placeOf('knows') >= 0 && placeOf('knows') < placeOf('other'))
  })

  test('adds nothing to what is true or false', async () => {
    const found = await changes('javascript', 'const x = list.filter((one) => one.a === b)')
    const wrong = found.filter(({ changed }) => /\(one\.a === b\) [+-] 1/.test(changed))
    assert.deepEqual(wrong, [])
  })

  test('adds nothing to what is only asked whether it is true', async () => {
    const found = await changes('javascript', 'if (a.b && !c) d(a.b)')
    const all = found.filter(({ kind }) => kind === 'off_by_one').map(({ changed }) => changed)
    assert.ok(all.includes('if (a.b && !c) d(a.b + 1)'))
    assert.deepEqual(
      all.filter((changed) => /(a\.b|c|\)) [+-] 1.* d/.test(changed)),
      [],
    )
  })

  test('that takes what is the same in every call for what varies comes later', async () => {
    const source = 'N = 1\ndef f(a, b):\n    N.g()\n    return a\n'
    const all = (await changes('python', source, [4])).map(({ changed }) => changed)
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

  test('compares with a second text, letter or mark of the failing tests', async () => {
    const literals = { numbers: [], texts: ["'box'", "'it\\'s'", "'a-b.c'"] }
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
      const place = (await changes(grammar, source)).findIndex(({ changed }) => changed === source.replace(from, to))
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
      (await changes('python', source(body))).findIndex(({ changed }) => changed === source(body.replace('b', 'a')))
    assert.ok((await placeIn('b.extend(c)')) > (await placeIn('b[1] = c')))
  })

  test('that sets apart what is written alike comes later', async () => {
    const source = (second: string) => `def f(a, b):\n    c = a[1] if a else 0\n    d = ${second}\n    return c - d\n`
    const placeIn = async (second: string) => {
      const text = source(second)
      const found = await changes('python', text)
      return found.findIndex(({ changed }) => changed === text.replace('if a else 0', 'if a else 1'))
    }
    assert.ok((await placeIn('b[1] if b else 0')) > (await placeIn('b[1] and b')))
  })

  test('is also made at all places of a function at once', async () => {
    const source = 'def f(a, b):\n    c = a + 1\n    return c - a\n'
    const all = (await changes('python', source)).map(({ changed }) => changed)
    assert.ok(all.includes('def f(a, b):\n    c = b + 1\n    return c - b\n'))
  })

  test('comes in the same order each time, each text once', async () => {
    const source = 'def f(a, b):\n    if a < b and b > 3:\n        return a[1:b]\n    return max(a, b) + 1\n'
    const [first, second] = [await changes('python', source), await changes('python', source)]
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
