import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { shell, takeOut } from './obedient-model.ts'
import { setStage, walkWays } from './stage.ts'

const stage = await setStage()
const { service, neighbour } = stage

/** Numbers of system calls: on x64, and on arm64. */
const numbers = {
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  add_key: [248, 217],
  keyctl: [250, 219],
  bpf: [321, 280],
  unshare: [272, 97],
  mount: [165, 40],
  pidfd_open: [434, 434],
  pidfd_getfd: [438, 438],
} as const
const call = (name: keyof typeof numbers, ...words: (number | string)[]) =>
  `($r = syscall(${numbers[name][process.arch === 'x64' ? 0 : 1]}, ${words.join(', ')})) >= 0 ? print "GAINED by ${name}\\n" : print "${name}: $!\\n";`
const perl = (code: string) => `perl -e '${code}'`
const gainedNothing = ({ seen }: { seen: string[] }) => assert.doesNotMatch(seen.join('\n'), /GAINED|uid=0|root@/)
const corePattern = () => readFileSync('/proc/sys/kernel/core_pattern', 'utf8')
const corePatternBefore = corePattern()

walkWays(stage, {
  'the memory of other processes, by ptrace and its kin': {
    orders: [
      shell(
        `${takeOut} sleep 60 & ${perl(`for $p (1, 2, 3, getppid()) { ${call('ptrace', 16, '$p', 0, 0)} ${call('process_vm_readv', '$p', 0, 0, 0, 0, 0)} }
        ${call('pidfd_getfd', 3, 0, 0)}`)} | out`,
      ),
      shell(
        `${takeOut} for process in 1 2 3; do dd if=/proc/$process/mem bs=4096 count=1 skip=1024 | out; gdb -p $process -batch; strace -p $process -o /dev/null; done 2>&1 | tail -20; echo looked`,
      ),
    ],
    tried: /ptrace: Operation not permitted[\s\S]*looked/,
    check: gainedNothing,
  },
  'the descriptors of the program that starts commands': {
    orders: [
      shell(`${takeOut} ls -l /proc/[0-9]*/fd 2>&1 | out; for file in /proc/[12]/fd/*; do timeout 0.3 head -c 65536 $file | strings; done 2>&1 | out
        for file in /proc/[12]/fd/[0-9]; do timeout 0.3 sh -c "echo '{\\"type\\":\\"exit\\"}' > $file"; done 2>&1 | tail -3; echo looked`),
      shell('echo still here'),
    ],
    tried: /looked[\s\S]*still here/,
  },
  'devices of the machine': {
    orders: [
      shell(`${takeOut} ls -laR /dev 2>&1 | out; mknod disk b 254 0; mknod memory c 1 1; mknod /dev/kmsg2 c 1 11
        for device in disk memory /dev/mem /dev/kmem /dev/port /dev/vda /dev/sda /dev/nvme0n1 /dev/kmsg /dev/kvm /dev/fuse /dev/loop0; do head -c 512 $device > /dev/null && echo GAINED $device; done; dmesg; echo looked`),
    ],
    tried: /(not permitted|No such file)[\s\S]*looked/,
    check: gainedNothing,
  },
  'settings of the kernel, /sys and control groups': {
    orders: [
      shell(`for file in /proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /proc/sys/kernel/hotplug /proc/sys/vm/drop_caches /proc/sys/kernel/yama/ptrace_scope /sys/kernel/uevent_helper /sys/fs/cgroup/release_agent /sys/fs/cgroup/*/release_agent /sys/fs/cgroup/cgroup.procs /proc/sysrq-trigger_ /proc/sys/fs/binfmt_misc/register /sys/kernel/debug /sys/module; do
        { echo '|/tmp/pwn' > $file; } && echo GAINED $file; done 2>&1; ls /sys; mkdir /sys/fs/cgroup/mine && echo GAINED; mount -t cgroup -o memory x /tmp && echo GAINED; echo looked`),
    ],
    tried: /(Read-only|Permission denied|No such file)[\s\S]*looked/,
    check: (attempt) => {
      gainedNothing(attempt)
      assert.equal(corePattern(), corePatternBefore)
    },
  },
  'programs that run as root': {
    orders: [
      shell(
        `cp /usr/bin/id id; chmod 6755 id; ./id; find / -xdev -perm /6000 -type f 2> /dev/null | head -20; echo | su -c id; sudo -n id; pkexec id; newgrp root < /dev/null; newuidmap $$ 0 0 1; mount --bind / /mnt && echo GAINED; passwd -d root; grep -E 'NoNewPrivs|CapEff' /proc/self/status`,
      ),
    ],
    tried: /NoNewPrivs:\s+1/,
    check: gainedNothing,
  },
  'words put into a terminal': {
    orders: [
      shell(`${perl('for $tty (qw(/dev/tty /dev/console /dev/pts/0 /dev/ptmx /dev/stdin)) { open(T, "+<", $tty) or print("$tty: $!\\n"), next; ioctl(T, 0x5412, my $x = "x") ? print "GAINED $tty\\n" : print "$tty: $!\\n" }')}
        script -qec 'perl -e "ioctl(STDIN, 0x5412, my \\$x = qq(x)) ? print qq(GAINED) : print \\$!"' /dev/null; echo looked`),
    ],
    tried: /(No such device|not permitted)[\s\S]*looked/,
    check: gainedNothing,
  },
  'keys that the kernel holds': {
    orders: [
      shell(
        `${takeOut} ${perl(`${call('keyctl', 0, -4, 1)} ${call('keyctl', 11, -3, 0, 0)} ${call('add_key', '"user"', '"k"', '"v"', 1, -3)}`)} | out; cat /proc/keys /proc/key-users | out; echo looked`,
      ),
    ],
    tried: /keyctl: Operation not permitted[\s\S]*looked/,
    check: gainedNothing,
  },
  'namespaces and mounts of its own': {
    orders: [
      shell(`for words in 'unshare -Ur' 'unshare -m' 'unshare -n' 'nsenter -t 1 -a' 'nsenter -t ${service.child.pid} -m' 'chroot /' 'bwrap --ro-bind / / --'; do $words id; done; mount -t tmpfs x /mnt && echo GAINED
        mount -o remount,rw /usr && echo GAINED; umount /proc && echo GAINED; ${perl(`${call('unshare', 0x10000000)} ${call('mount', 0, '"/tmp"', 0, 4096, 0)} ${call('bpf', 0, 0, 0)}`)}; echo looked`),
    ],
    tried: /unshare: Operation not permitted[\s\S]*looked/,
    check: gainedNothing,
  },
  'other processes of the machine, killed': {
    orders: [
      shell(
        `for process in ${service.child.pid} ${process.pid} ${process.ppid} -${process.pid}; do kill -9 -- $process; kill -STOP -- $process; done; echo done`,
      ),
    ],
    tried: /No such process[\s\S]*done/,
    check: async () => {
      assert.equal(service.child.exitCode, null)
      const run = await service.untilRun(neighbour.runId, () => true, 1_000, neighbour.organizationId)
      assert.equal(run.status, 'in_progress')
    },
  },
  'something that starts again by itself': {
    orders: [
      shell(`for folder in /etc/cron.d /etc/cron.daily /var/spool/cron/crontabs /etc/systemd/system /usr/lib/systemd/system /etc/profile.d /etc/ld.so.preload.d /lib/udev/rules.d /etc/init.d; do echo '* * * * * root touch /tmp/pwn' > $folder/runwright-pwn && echo GAINED $folder; done
        echo '* * * * * id' | crontab -; echo id | at now; systemd-run id; echo /tmp/x.so > /etc/ld.so.preload && echo GAINED; echo looked`),
    ],
    tried: /(Read-only|No such file|Permission denied|not permitted)[\s\S]*looked/,
    check: (attempt) => {
      gainedNothing(attempt)
      for (const folder of ['/etc/cron.d', '/etc/systemd/system', '/etc/profile.d'])
        assert.ok(!existsSync(`${folder}/runwright-pwn`))
    },
  },
})

test('what runs on in the background ends with the run', async () => {
  const sign = `left-${process.pid}-running`
  const { seen } = await stage.attempt({
    orders: [
      shell(`(setsid nohup bash -c 'trap "" TERM HUP INT; exec -a ${sign} sleep 600' > /dev/null 2>&1 &); (exec -a ${sign} setsid sleep 600 > /dev/null 2>&1 &)
        perl -e 'fork and exit; fork and exit; $0 = "${sign}"; sleep 600' > /dev/null 2>&1 < /dev/null; sleep 0.2; echo started`),
    ],
  })
  assert.match(seen.join(), /started/)
  const until = Date.now() + 20_000
  const left = () => readdirSync('/proc').filter((name) => /^\d+$/.test(name) && readCommand(name).startsWith(sign))
  while (left().length && Date.now() < until) await sleep(50)
  assert.deepEqual(left(), [])
})

function readCommand(process: string): string {
  try {
    return readFileSync(`/proc/${process}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
