import assert from 'node:assert/strict'
import path from 'node:path'
import { test } from 'node:test'
import { makeWorkTree } from '#test/test-git.ts'
import { listSubmodules } from './list-submodules.ts'

const sha = '1'.repeat(40)

/** A commit with this `.gitmodules` and with submodules at these paths, which git itself would refuse in places. */
async function list(gitmodules: string, paths: string[] = [], more: Record<string, string> = {}) {
  const tree = await makeWorkTree()
  await tree.commit({ '.gitmodules': gitmodules, ...more })
  for (const at of paths) await tree.git('update-index', '--add', '--cacheinfo', `160000,${sha},${at}`)
  await tree.git('commit', '--quiet', '--allow-empty', '-m', 'with submodules')
  const commit = await tree.git('rev-parse', 'HEAD')
  return listSubmodules(path.join(tree.folder, '.git'), { commit })
}

const named = (name: string, at: string, url: string, more = '') =>
  `[submodule "${name}"]\n\tpath = ${at}\n\turl = ${url}\n${more}`

test('what a commit names as submodules is listed, with the commit of each', async () => {
  const file = named('lib', 'vendor/lib', '../lib.git') + named('a.b "c', 'x y', 'https://h.test/a/b')
  assert.deepEqual(await list(file.replace('a.b "c', 'a.b c'), ['vendor/lib', 'x y']), [
    { path: 'vendor/lib', url: '../lib.git', commit: sha },
    { path: 'x y', url: 'https://h.test/a/b', commit: sha },
  ])
  assert.deepEqual(await list(named('lib', 'lib', '../lib.git')), [{ path: 'lib', url: '../lib.git', commit: null }])
  assert.deepEqual(await list(named('a', 'file.txt', '../a'), [], { 'file.txt': 'no submodule' }), [
    { path: 'file.txt', url: '../a', commit: null },
  ])
})

test('paths and names that lead elsewhere are left out, and how one is to be updated is not read', async () => {
  for (const at of [
    '../up',
    '/etc',
    '.git/hooks',
    'a/.GIT/b',
    'a/../../b',
    '-x',
    ':(top)x',
    './a',
    'a//b',
    '"a\\nb"',
    '"a\\\\b"',
  ])
    assert.deepEqual(await list(named('lib', at, '../lib')), [], at)
  assert.deepEqual(await list(named('../../hooks', 'lib', '../lib')), [])
  assert.deepEqual(await list(named('-c', 'lib', '../lib')), [])
  assert.deepEqual(await list(named('lib', 'lib', '../lib', '\tupdate = !touch pwned\n')), [
    { path: 'lib', url: '../lib', commit: null },
  ])
})

test('a file that includes others, is no settings or names too many is refused or read by itself', async () => {
  const included = `[include]\n\tpath = other\n${named('a', 'a', '../a')}`
  assert.equal((await list(included, [], { other: named('b', 'b', '../b') })).length, 1)
  await assert.rejects(list('[submodule "a"\n\tpath = a'), { code: 'invalid' })
  const many = Array.from({ length: 600 }, (_, n) => named(`n${n}`, `p${n}`, '../a')).join('')
  await assert.rejects(list(many), { code: 'invalid' })
  await assert.rejects(list(`# ${'x'.repeat(300_000)}`), { code: 'invalid' })
})
