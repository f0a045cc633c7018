/** Sandboxes whose files lie on a disk of their own, which the kernel holds. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { sayIn, testLimits, testSandboxes } from '#test/test-sandboxes.ts'
import { openBubblewrap } from './bubblewrap.ts'

const MiB = 1024 * 1024
const small = { ...testLimits, diskBytes: 64 * MiB }
const needsRoot = { skip: process.getuid?.() !== 0 && 'only root may mount' }
const { folder, provider } = testSandboxes(({ folder }) => openBubblewrap({ folder, hasDisks: true }))

test('holds bytes and files, wherever they hide', needsRoot, async () => {
  const sandbox = await provider.create({ id: 'full', limits: small })
  assert.equal(sandbox.enforcement.disk, 'kernel')
  const write =
    'for i in 1 2 3 4 5 6 7 8 9; do head -c 8M /dev/zero > $i 2>/dev/null || echo refused; done | sort -u; rm ?'
  assert.equal(await sayIn(sandbox, write), 'refused')
  const hide = `perl -e 'my @held; for (1 .. 9) { open(my $file, ">", "gone"); unlink "gone"; print $file "x" x (8 << 20) and $file->flush or print "refused\\n"; push @held, $file }' -MIO::Handle 2>/dev/null | sort -u`
  assert.equal(await sayIn(sandbox, hide), 'refused')
  const flood = `perl -e 'for (1 .. 1_000_000) { open(my $file, ">", "e$_") or print("refused ", $_ < 20_000 ? "early" : "late") and exit }'`
  assert.equal(await sayIn(sandbox, flood), 'refused early')
  assert.equal(await sayIn(sandbox, 'rm -f e*; echo goes on > it; cat it'), 'goes on')
  await sandbox.stop('done')
})

test(
  'keeps the files for the next one, shares them with commands apart, and leaves nothing mounted',
  needsRoot,
  async () => {
    const first = await provider.create({ id: 'kept', limits: small })
    assert.equal(await sayIn(first, 'echo kept > kept; echo home > ~/it; cat kept'), 'kept')
    const apart = await first.exec({ shell: 'cat kept; echo apart > two', ownNamespace: true, timeoutMs: 20_000 })
      .result
    assert.equal(apart.output.toString(), 'kept\n')
    await first.stop('done')
    assert.doesNotMatch(execFileSync('mount').toString(), new RegExp(`${folder}/kept/`))
    const next = await provider.create({ id: 'kept', limits: small })
    assert.equal(await sayIn(next, 'cat kept two ~/it'), 'kept\napart\nhome')
    await next.stop('done')
    await provider.remove('kept')
    assert.doesNotMatch(execFileSync('losetup', ['-a']).toString(), new RegExp(`${folder}/kept/`))
  },
)

test('does not pass what an earlier boot has left for whole', needsRoot, async () => {
  const lost = await provider.create({ id: 'lost', limits: small })
  await lost.stop('done')
  const own = path.join(folder, 'lost')
  const image = readdirSync(own).find((name) => name.startsWith('disk-'))!
  renameSync(path.join(own, image), path.join(own, 'disk-00000000.img'))
  assert.ok(!(await provider.list()).includes('lost'))
})

test('does not pass files for whole that were made under the other setting', needsRoot, async () => {
  const other = openBubblewrap({ folder })
  const sandbox = await other.create({ id: 'changed', limits: small })
  await sandbox.stop('done')
  await assert.rejects(provider.create({ id: 'changed', limits: small }), /RUNWRIGHT_SANDBOX_DISK was changed/)
  const again = await provider.create({ id: 'changed', limits: small })
  await again.stop('done')
  await assert.rejects(other.create({ id: 'changed', limits: small }), /RUNWRIGHT_SANDBOX_DISK was changed/)
})

test('says who can have such disks', { skip: process.getuid?.() === 0 && 'root can' }, async () => {
  assert.match((await provider.probe()).problems.join(), /Only root can give sandboxes disks of their own/)
})
