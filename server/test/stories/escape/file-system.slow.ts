/** Ways out through the file system. */
import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { sayIn } from '#test/test-sandboxes.ts'
import { isRoot, openAttack } from './attack.ts'

const EPERM = '1'
const EOPNOTSUPP = '95'
const attack = await openAttack()
const { base, folder, uid, uidInside, isOfImage, hasOwnKernel, secretFile, attacker, neighbour } = attack
const { attempt, attemptInPerl, listInside } = attack

test("reads the service's secret by its path: there is no such file", async () => {
  const text = await attempt(
    `cat ${secretFile}; ls ${base}; cat /etc/shadow; ls /root /opt /srv /mnt /media /boot /var/lib`,
  )
  assert.doesNotMatch(text, /CANARY/)
  // An image has folders of these names, which are not the machine's.
  if (!isOfImage) assert.equal(text.match(/No such file/g)?.length, 10)
})

test('looks around: the machine shows nothing but system folders', async () => {
  // Docker puts an empty file there, by which programs know it.
  const shown = (await listInside('/')).filter((name) => !/^(lib.*|s?bin|\.dockerenv)$/.test(name))
  const ofImage = ['boot', 'media', 'mnt', 'opt', 'root', 'srv', 'sys']
  const system = ['dev', 'etc', 'home', 'proc', 'run', 'tmp', 'usr', 'var', 'workspace']
  assert.deepEqual(shown, isOfImage ? [...system, ...ofImage].toSorted() : system)
  assert.deepEqual(await listInside('/home'), ['agent'])
  if (!isOfImage) assert.deepEqual([await listInside('/run'), await listInside('/var')], [['runwright'], ['tmp']])
  assert.deepEqual(await listInside('/run/runwright'), ['bin', 'exec-agent.mjs', 'loader'])
  assert.deepEqual(await listInside('/run/runwright/bin'), ['node', 'rg'])
})

test("reads a neighbour's files, through the roots and folders of every process: nothing", async () => {
  const file = path.join(folder, 'neighbour/workspace/private.txt')
  const text = await attempt(
    `for root in '' /proc/1/root /proc/self/root /proc/self/root/../../.. /proc/[0-9]*/cwd/../../.. /proc/[0-9]*/root; do cat $root${file}; done
     find / -xdev -name private.txt`,
  )
  assert.doesNotMatch(text, /CANARY/)
  assert.match(text, /No such file|Permission denied/)
  assert.equal((await neighbour.readFile('private.txt')).toString(), 'CANARY-OF-THE-NEIGHBOUR')
})

test('reads who else uses the machine: only its own name', async () => {
  assert.equal(await attempt('cut -d: -f1 /etc/passwd | xargs'), 'root agent nobody')
  assert.equal(await attempt('cat /etc/machine-id 2>/dev/null; hostname'), 'sandbox')
  if (!isOfImage) assert.equal(await attempt('cat /etc/hostname /etc/fstab 2>/dev/null; echo nothing'), 'nothing')
})

test('has the service read a link to a file of the machine: it is what it is inside', async () => {
  await attempt(`ln -sfn ${secretFile} link; ln -sfn /etc/shadow shadow; ln -sfn /proc/1/environ environ`)
  await assert.rejects(attacker.readFile('link'), { code: 'ENOENT' })
  await assert.rejects(attacker.readFile('shadow'), { code: isOfImage ? 'EACCES' : 'ENOENT' })
  const environment = await attacker.readFile('environ').catch((error: Error) => Buffer.from(error.message))
  assert.doesNotMatch(environment.toString(), /CANARY/)
})

test('has the service write through a folder that became a link: it is refused, and the machine unharmed', async () => {
  const passwords = readFileSync('/etc/passwd', 'utf8')
  await attempt('rm -rf out; ln -s /etc out; ln -sfn /usr/bin bin')
  await assert.rejects(attacker.writeFile('out/passwd', Buffer.from('mine')), { code: /EROFS|EACCES|EPERM/ })
  await assert.rejects(attacker.writeFile('out/cron.d-mine', Buffer.from('mine')), { code: /EROFS|EACCES/ })
  await assert.rejects(attacker.writeFile('bin/new', Buffer.from('mine')), { code: /EROFS|EACCES/ })
  assert.equal(readFileSync('/etc/passwd', 'utf8'), passwords)
})

test('swaps a folder for a link while the service writes: nothing arrives outside', async () => {
  const swap = attacker.exec({
    shell: 'while :; do rm -rf race; mkdir race; rm -rf race; ln -s /etc race; done 2>/dev/null',
    timeoutMs: 20_000,
  })
  for (let round = 0; round < 200; round++) {
    await attacker.writeFile('race/runwright-was-here', Buffer.from('mine')).catch(() => {})
  }
  swap.kill()
  await swap.result
  assert.ok(!existsSync('/etc/runwright-was-here'))
})

test('writes outside its folders: read-only', async () => {
  const places =
    '/ /usr /usr/bin /usr/local/bin /etc /run /run/runwright /run/runwright/bin /dev /proc /proc/sys /var /home'
  const wrote = await attempt(
    `for place in ${places}; do touch $place/new 2>/dev/null && echo WROTE $place && rm $place/new; done; echo done`,
  )
  // These gVisor makes for whoever is inside, in the memory of that sandbox. What was laid into them is read-only.
  const ofOwnKernel = 'WROTE /run/runwright\nWROTE /run/runwright/bin\n'
  assert.equal(wrote, `${hasOwnKernel ? ofOwnKernel : ''}done`)
  assert.equal(
    await attempt('for place in /workspace ~ /tmp /var/tmp /dev/shm; do touch $place/new || echo NOT $place; done'),
    '',
  )
})

test('mounts, unmounts, binds, changes its root: refused, also by the newer calls', async () => {
  const commands = [
    'mount -t tmpfs none /workspace',
    'mount -o remount,rw /usr',
    'mount -o remount,rw,bind /',
    'mount --bind /proc /workspace',
    'mount -t proc proc /workspace',
    'umount /proc/kcore',
    'umount -l /proc/sys',
    'pivot_root /workspace /workspace',
    'chroot /workspace /bin/true',
    'fusermount -u /workspace',
  ]
  const tries = commands.map((command) => `${command} 2>/dev/null && echo DID ${command};`)
  assert.equal(await attempt(`${tries.join(' ')} echo done`), 'done')
})

test('makes devices, or finds those of the machine: none', async () => {
  const text = await attempt(
    `mknod disk b 254 0; mknod memory c 1 1; mknod /tmp/kmsg c 1 11
     for file in disk memory /tmp/kmsg /dev/vd* /dev/sd* /dev/nvme* /dev/kvm ${hasOwnKernel ? '' : '/dev/fuse /dev/net'} /dev/mem /dev/kmsg /dev/vsock /dev/loop* /dev/mapper /dev/userfaultfd
     do [ -e $file ] && echo $file; done; echo done`,
  )
  assert.doesNotMatch(text, /^(disk|memory|\/(dev|tmp)\/\S+)$/m)
  assert.match(text, /^done$/m)
})

test('finds no device but the harmless ones', async () => {
  const names = (
    await attempt(
      'for file in $(find /dev -path /dev/pts -prune -o -print); do [ ! -L $file ] && [ -c $file -o -b $file ] && echo $file; done',
    )
  ).split('\n')
  assert.deepEqual(
    names
      .map((name) => path.basename(name))
      .filter((name) => name !== 'ptmx')
      .toSorted(),
    // The further ones are gVisor's own, and lead to no file system and no network of the machine.
    [
      'full',
      ...(hasOwnKernel ? ['fuse'] : []),
      'null',
      'random',
      'tty',
      ...(hasOwnKernel ? ['tun'] : []),
      'urandom',
      'zero',
    ],
  )
})

test('keeps programs that change the user: nothing is gained', async () => {
  const text = await attempt(
    `cp /usr/bin/id mine; chmod 6777 mine; ./mine -u; su -c id < /dev/null; newuidmap $$ 0 0 1; grep NoNewPrivs /proc/self/status
     for program in $(find / -xdev -perm /6000 -type f 2>/dev/null); do $program --version > /dev/null 2>&1 < /dev/null; done; id -u`,
  )
  assert.match(text, new RegExp(`^${uidInside}$`, 'm'))
  assert.doesNotMatch(text, /uid=0/)
  // gVisor does not show it.
  if (!hasOwnKernel) assert.match(text, /NoNewPrivs:\s+1/)
})

test('leaves a program that changes the user for others on the machine: they cannot reach it', async () => {
  await attempt('cp /usr/bin/id theirs; chmod 6777 theirs; chmod 777 /workspace ~ /tmp')
  const { mode, uid: owner, gid } = statSync(path.join(folder, 'attacker'))
  assert.equal((mode & 0o777).toString(8), isRoot ? '710' : '700')
  assert.deepEqual({ owner, gid }, isRoot ? { owner: 0, gid: uid } : { owner: uid, gid: process.getgid!() })
})

test('gives a file a capability, or to somebody else: refused', async () => {
  const text = await attempt(
    'cp /usr/bin/id able; setcap cap_sys_admin+ep able && echo ABLE; chown 0 able && echo GAVE; chgrp 0 able && echo GAVE',
  )
  assert.doesNotMatch(text, /ABLE|GAVE/)
})

test("turns the kernel's switches, such as what happens to a core: refused", async () => {
  const files = [
    'kernel/core_pattern',
    'kernel/modprobe',
    'kernel/hostname',
    'kernel/randomize_va_space',
    'vm/drop_caches',
    'vm/overcommit_memory',
    'net/ipv4/ip_forward',
    'user/max_user_namespaces',
    'fs/binfmt_misc/register',
  ]
  const tries = files.map((file) => `(exec 9>/proc/sys/${file}) 2>/dev/null && echo OPENED ${file};`)
  assert.equal(await attempt(`${tries.join(' ')} echo done`), 'done')
  assert.match(await attempt('echo b > /proc/sysrq-trigger; echo alive'), /^alive$/m)
})

test('finds the control groups and what else /sys shows: nothing', async () => {
  // gVisor shows folders of its own kernel, in which nothing lies.
  const looked = hasOwnKernel ? '/sys/block/* /sys/module/* /sys/fs/cgroup/*' : '/sys/* /sys/fs/cgroup'
  const shown = `for file in ${looked} /cgroup/*; do [ -e $file ] && echo $file; done; echo done`
  assert.equal(await attempt(shown), 'done')
  // An engine mounts them, and nothing that lies in them is to be seen.
  if (!isOfImage)
    assert.equal(await attempt('mount | grep -cE "type (cgroup2?|sysfs|debugfs|tracefs|securityfs|bpf|fuse)"'), '0')
})

test('learns about the machine from /proc: the telling files are empty', async () => {
  const files =
    'kcore kallsyms keys key-users cmdline timer_list config.gz modules interrupts softirqs zoneinfo locks slabinfo vmallocinfo kpagecount diskstats partitions swaps'
  const content = await attempt(`for file in ${files}; do cat /proc/$file 2>/dev/null; done`)
  const folders = 'find /proc/bus /proc/fs /proc/irq /proc/driver /proc/acpi /proc/scsi -mindepth 1 2>/dev/null'
  assert.equal(await attempt(folders), '')
  // A kernel of their own tells of itself.
  if (hasOwnKernel) assert.ok(!content.includes(readFileSync('/proc/cmdline', 'utf8').trim()))
  else assert.equal(content, '')
  assert.match(await attempt('dmesg'), hasOwnKernel ? /Starting gVisor/ : /not permitted|denied/)
})

test('opens files by handle, past all folders: refused', async () => {
  const numbers = process.arch === 'x64' ? [303, 304] : [264, 265]
  for (const number of numbers)
    assert.equal(
      await attemptInPerl(`$! = 0; syscall(${number}, -100, 0, 0, 0, 0); print $! + 0`),
      hasOwnKernel ? EOPNOTSUPP : EPERM,
    )
})

test('leaves a changed root by an open folder: it cannot change the root', async () => {
  const text = await attemptInPerl('mkdir "jail"; print chroot("jail") ? "CHANGED" : "refused: $!"')
  assert.match(text, /refused: Operation not permitted/)
})

test('links files of the system into its own folders: refused', async () => {
  const links = 'ln /usr/bin/id linked; ln /run/runwright/bin/node linked; ln /etc/passwd linked'
  assert.match(await attempt(`${links}; test -e linked || echo none`), /^none$/m)
})

test('lays pipes, sockets and endless devices in place of files: reading them neither hangs nor fills memory', async () => {
  await attempt(
    'rm -f pipe; mkfifo pipe; ln -sfn /dev/zero zero; ln -sfn /proc/self/mem memory; ln -sfn /proc/kmsg kmsg',
  )
  for (const file of ['pipe', 'zero']) await assert.rejects(attacker.readFile(file), { code: 'EINVAL' })
  for (const file of ['memory', 'kmsg']) await attacker.readFile(file).catch(() => {})
  await assert.rejects(attacker.writeFile('pipe', Buffer.from('x')), { code: 'ENXIO' })
  assert.equal(await attempt('rm -f pipe zero memory kmsg; echo still here'), 'still here')
})

test('changes what runs it: read-only, and the sandbox goes on', async () => {
  const text = await attempt(
    `echo x > /run/runwright/exec-agent.mjs; rm -f /run/runwright/exec-agent.mjs; mv /run/runwright/exec-agent.mjs /tmp
     cp /usr/bin/id /run/runwright/bin/node; echo x > /proc/1/exe`,
  )
  assert.match(text, hasOwnKernel ? /Permission denied/ : /Read-only file system/)
  assert.ok((await listInside('/run/runwright')).includes('exec-agent.mjs'))
  assert.equal(await attempt('echo still works'), 'still works')
})

test('hides a library or a shell profile for the commands to come: it harms its own sandbox alone', async () => {
  await attempt(
    'echo "/workspace/evil.so" > /etc/ld.so.preload; echo "echo PROFILE" > ~/.bashrc; echo "echo PROFILE" > ~/.profile',
  )
  assert.equal(await attempt('cat /etc/ld.so.preload 2>/dev/null; echo clean'), 'clean')
  assert.equal(await sayIn(neighbour, 'cat ~/.bashrc ~/.profile 2>/dev/null; bash -lc "echo clean"'), 'clean')
})

test('follows the descriptors of its process back to the machine: only pipes of its own', async () => {
  const text = await attempt('for link in /proc/self/fd/*; do readlink $link; done')
  for (const target of text.split('\n').filter(Boolean)) assert.match(target, /^(pipe:|\/dev\/null|\/proc\/|socket:)/)
})
