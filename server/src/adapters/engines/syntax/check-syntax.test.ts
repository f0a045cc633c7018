import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSyntax } from './check-syntax.ts'

const check = (path: string, after: string, before: string | null = null) =>
  checkSyntax({ path, before, after, key: 'a' })

// A grammar is loaded when it is needed first, which on a busy machine may take longer than is waited for.
for (const path of ['a.py', 'a.go', 'a.js', 'a.ts', 'a.tsx', 'a.json', 'a.yml'])
  for (let tries = 0; tries < 10 && !(await check(path, '[')); tries++);

for (const [path, source, place] of [
  ['a.py', 'def f(a)\n    return 1\n', '1:1'],
  ['a.py', 'import os\n\ndef f(a):\n    if a:\n        return (1\n    return 2\n', '5:9'],
  ['a.go', 'package a\n\nfunc f(a int) int {\n\treturn (a + 1\n}\n', '4:15'],
  ['a.js', 'const a = foo(1, 2\nconst b = 3\n', '2:1'],
  ['a.cjs', 'function f() {\n  return 1\n}}\n', '3:2'],
  ['a.ts', 'class A {\n  foo(x: number {\n  }\n}\n', '2:17'],
  ['a.tsx', 'export function A() {\n  return (\n    <div>\n      <span>\n    </div>\n  )\n}\n', '2:3'],
  ['a.js', 'const a = <div>\n', '1:1'],
  ['a.json', '{\n  "a": 1,\n}\n', '3:1'],
  ['a.json', '{"a": 1, "b": 2, "c": 3, "d": }\n', '1:31'],
  ['a.json', '{"a":}', '1:6'],
  ['a.json', '', '1:1'],
  ['a.yml', 'a: 1\nb: [1, 2\nc: 3\n', '3:1'],
  ['a.yaml', 'a: 1\n\tb: 2\n', '2:1'],
] as const) {
  test(`the fault in ${path} with ${JSON.stringify(source.slice(0, 40))} is found where it is`, async () => {
    const fault = await check(path, source)
    assert.equal(fault && `${fault.line}:${fault.column}`, place)
    assert.equal(await check(path, source, source), null, 'it was there before')
  })
}

for (const [path, source] of [
  ['a.py', 'match x:\n    case [1, *rest] if rest:\n        print(f"{x!r:>{w}} {d["k"]}")\ntype A[T] = list[T]\n'],
  [
    'a.go',
    'package a\n\ntype P[K comparable, V any] struct{ k K; v V }\n\nfunc M[T ~int | ~string](xs ...T) (r T) {\n\tfor i := range 3 {\n\t\t_ = i\n\t}\n\treturn\n}\n',
  ],
  ['old.py', 'print "a"\ntry:\n    pass\nexcept A, e:\n    pass\n'],
  ['a.ts', 'enum A { B }\nusing q = f()\nconst x = <T,>(y: T) => y satisfies unknown\nexport type * from "./b.ts"\n'],
  ['a.ts', 'class A<const T> { accessor x = 1; declare y: string; static { } }\nlet a = b as const\n'],
  [
    'a.js',
    '#!/usr/bin/env node\nawait using a = b; import c from "./c.json" with { type: "json" }; /[\\p{L}--[a-z]]/v\n',
  ],
  ['a.jsx', 'const a = <><A {...b} c:d="e">{/* x */}</A></>\n'],
  ['a.js', '// @flow\ntype A = {| a: ?string |}\nfunction f(a: A): %checks { return !!a }\n'],
  ['tsconfig.base.json', '{ // comment\n}'],
  ['.vscode/settings.json', '{ "a": 1, }'],
  ['a.json', '\ufeff{}'],
  ['a.yml', 'a: !Ref b\n---\n&x b: *x\n'],
  ['chart/templates/a.yaml', '{{- if .Values.a }}\na: {{ .b }}\n{{- end }}\n'],
  ['a.yml', ''],
  ['a.rs', 'fn main( {'],
  ['README', '((('],
] as const) {
  test(`nothing is said of ${path} with ${JSON.stringify(source.slice(0, 40))}`, async () => {
    assert.equal(await check(path, source), null)
  })
}

test('a hostile file holds up nobody, and what comes after it is checked', async () => {
  const size = 500_000
  const garbage = Array.from(
    { length: size },
    (_, n) => '@#$%^&*(){}[]<>,;:"`~!/\\a1 \n'[(n * 7919 + ((n * n) >> 3)) % 28],
  )
  const sources = [
    '['.repeat(size),
    '{('.repeat(size / 2),
    'f(`${'.repeat(size / 5),
    '<a>'.repeat(size / 3),
    '- '.repeat(size / 2),
  ]
  let late = 0
  let last = performance.now()
  const beat = setInterval(() => {
    late = Math.max(late, performance.now() - last)
    last = performance.now()
  }, 10)
  for (const source of [...sources, garbage.join(''), '\0\ud800'.repeat(1_000)]) {
    for (const path of ['a.py', 'a.js', 'a.tsx', 'a.json', 'a.yml']) {
      const begun = performance.now()
      await check(path, source, 'a')
      assert.ok(performance.now() - begun < 3_500, path)
    }
  }
  clearInterval(beat)
  assert.ok(late < 1_000, `the event loop stood still for ${late} ms`)
  assert.equal((await check('a.py', 'x = (\n'))?.line, 1)
  assert.equal(await check('a.py', '('.repeat(10 * 2 ** 20)), null, 'it is too long')
})

test('a usual file takes not much longer than a small one', async (t) => {
  const before = Array.from(
    { length: 400 },
    (_, n) => `export function f${n}(a: number): number {\n  return a + ${n}\n}\n`,
  ).join('')
  const time = async (source: string, n: number) => {
    const begun = performance.now()
    await check('a.ts', `${source}const x${n} = 1\n`, source)
    return performance.now() - begun
  }
  await time(before, 0)
  const small: number[] = []
  const usual: number[] = []
  for (let n = 0; n < 41; n++) {
    small.push(await time('', n))
    usual.push(await time(before, n))
  }
  const [p50, control] = [usual, small].map((times) => times.sort((a, b) => a - b)[20]!) as [number, number]
  t.diagnostic(`p50 ${p50.toFixed(1)} ms, a small one ${control.toFixed(1)} ms`)
  assert.ok(p50 < 60 * control, `${p50} ms, a small one ${control} ms`)
})
