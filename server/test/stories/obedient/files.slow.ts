import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { shell, takeOut, type Order } from './obedient-model.ts'
import { judge, setStage, walkWays } from './stage.ts'

const stage = await setStage()
const { hostFiles, service, neighbour } = stage
// The service itself may not ask where its data lie.
const database = new pg.Client(process.env.RUNWRIGHT_TEST_ADMINISTRATOR_URL)
await database.connect()
const dataFolder = String((await database.query('show data_directory')).rows[0].data_directory)
const socketFolders = String((await database.query('show unix_socket_directories')).rows[0].unix_socket_directories)
await database.end()

const hostPaths = [hostFiles.open, hostFiles.closed, path.join(service.dataDir, 'planted'), '/etc/shadow', '/root/.ssh']
const neighbourFolder = path.join(service.dataDir, `sandboxes/run-${neighbour.organizationId}-${neighbour.runId}`)
const tool = (name: string, input: Order['input']): Order => ({ name, input })

test('the files that the ways below look for are there', () => {
  for (const file of [...hostPaths.slice(0, 4), neighbourFolder, dataFolder]) assert.ok(existsSync(file), file)
})

walkWays(stage, {
  'every variable of its own environment': {
    orders: [shell(`${takeOut} { env; export -p; set; declare -x; } | out; echo read all`)],
    tried: /HOME=\/home\/agent[\s\S]*read all/,
  },
  'the environment and words of every process': {
    orders: [
      shell(
        `${takeOut} for file in /proc/*/environ /proc/*/cmdline; do tr '\\0' '\\n' < $file; done 2>&1 | out; echo read all`,
      ),
    ],
    // Beside what a command is given lies bait, in the environment of the program that starts it.
    tried: /read all|canary_found/,
  },
  'every file that can be found': {
    orders: [
      shell(
        `${takeOut} find / -xdev \\( -path /usr -o -path /proc -o -path /workspace -o -path '/home/agent/.*' \\) -prune -o -type f -size -2M -print0 |
         tee >(xargs -0 cat 2>&1 | out > /dev/null) | tr '\\0' '\\n' | out; find / -xdev -name '*neighbour*' | out; sleep 0.3; echo read all`,
        120,
      ),
    ],
    tried: /\/etc\/passwd[\s\S]*read all/,
  },
  'an archive of everything, left for people': {
    orders: [
      shell(
        'mkdir -p .runwright/artifacts; tar cf .runwright/artifacts/all.tar /etc /root /run/user /srv /opt /var /mnt /media 2>&1 | tail -5; ls -l .runwright/artifacts',
      ),
    ],
    tried: /all\.tar/,
  },
  'files of the machine by their names': {
    orders: [
      shell(`${takeOut} for file in ${hostPaths.join(' ')}; do cat $file; ls -laR $file; done 2>&1 | out`),
      tool('read', { path: hostFiles.open }),
      tool('read', { path: `../../../..${hostFiles.open}` }),
      tool('read', { path: '/etc/passwd' }),
      tool('list', { path: path.dirname(hostFiles.open) }),
      tool('search', { pattern: '.', path: path.dirname(hostFiles.open) }),
      tool('write', { path: `${path.dirname(hostFiles.open)}/written`, content: 'x' }),
    ],
    tried: /No such file[\s\S]*There is no file/,
    check: () => assert.ok(!existsSync(path.join(path.dirname(hostFiles.open), 'written'))),
  },
  'links out of the workspace, read by every tool and committed': {
    orders: [
      shell(`ln -s ${hostFiles.open} open.txt; ln -s ${service.dataDir} data; ln -s / root; ln -s /proc/self/environ self; mkdir -p .runwright
        rm -rf .runwright/artifacts; ln -s ${path.dirname(hostFiles.open)} .runwright/artifacts; cat open.txt data/planted; echo linked`),
      tool('read', { path: 'open.txt' }),
      tool('read', { path: `root${hostFiles.open}` }),
      tool('search', { pattern: '.', path: 'data' }),
      tool('write', { path: 'open.txt', content: 'overwritten' }),
    ],
    tried: /linked[\s\S]*There is no file/,
  },
  'links in the place of files for people': {
    orders: [
      shell(`mkdir -p .runwright/artifacts; cd .runwright/artifacts; ln -s ${hostFiles.open} open.txt; ln -s /proc/1/environ environ.txt
        ln -s /proc/self/fd/0 zero.txt; mkfifo pipe.txt; echo fine > fine.txt; ls -l`),
    ],
    tried: /open\.txt -> \//,
    check: ({ leaving }) => {
      const names = leaving.flatMap(({ by }) => /^the artifact (.*)$/.exec(by)?.[1] ?? [])
      assert.deepEqual(names, ['fine.txt'])
    },
  },
  'hard links to files of the machine': {
    orders: [
      shell(
        `for file in ${hostPaths.join(' ')} /usr/bin/env /etc/passwd /run/runwright/*; do ln $file hard-$RANDOM; done; ls hard-*; echo linked`,
      ),
    ],
    tried: /(No such file|not permitted|cross-device)[\s\S]*linked/i,
  },
  'the root, folder and files of every process': {
    orders: [
      shell(`${takeOut} for process in /proc/[0-9]* /proc/self /proc/thread-self; do
        cat $process/root${hostFiles.open} $process/cwd/../../..${hostFiles.open} $process/root/../..${hostFiles.open}; ls -l $process/fd
        cat $process/maps $process/mountinfo; done 2>&1 | out | tail -20; echo read all`),
      shell(`cat /proc/${service.child.pid}/environ /proc/${service.child.pid}/cmdline; ls /proc/${process.pid}`),
    ],
    tried: /read all[\s\S]*No such file/,
  },
  "a neighbour's sandbox and work": {
    orders: [
      shell(`${takeOut} ls -laR ${neighbourFolder} ${service.dataDir}/sandboxes 2>&1 | out; cat ${neighbourFolder}/*/neighbour.txt 2>&1 | out
        cat /tmp/neighbour.txt /dev/shm/neighbour.txt ~/neighbour.txt /workspace/../neighbour.txt 2>&1 | out; grep -rs NEIGHBOUR /proc/*/environ | out; ps axww 2>&1 | out`),
    ],
    tried: /No such file/,
  },
  "the service's stores of repositories, files and checkpoints": {
    orders: [
      shell(`${takeOut} for name in git blobs temporary mirrors postgres secret-key; do ls -laR ${service.dataDir}/$name; done 2>&1 | out
        ls -laR /run/runwright/mounts/*/.. 2>&1 | head -50 | out
        for pack in /run/runwright/mounts/*/pack/*.idx; do git show-index < $pack; done 2>&1 | out | tail -3; cat /run/runwright/mounts/*/info/* 2>&1 | out; echo read all`),
    ],
    tried: /No such file[\s\S]*read all/,
  },
  "PostgreSQL's folder and sockets": {
    orders: [
      shell(`${takeOut} ls -la ${dataFolder} ${dataFolder}/.. ${socketFolders.split(',')[0] || '/var/run/postgresql'} /var/run/postgresql /tmp/.s.PGSQL* 2>&1 | out
        cat ${dataFolder}/PG_VERSION ${dataFolder}/../password ${dataFolder}/pg_hba.conf 2>&1 | out; find / -xdev -name '.s.PGSQL*' 2> /dev/null | out; echo looked`),
    ],
    tried: /No such file[\s\S]*looked/,
  },
})

test('what one run leaves in folders that all have, the next does not find', async () => {
  const places = '/tmp /var/tmp /dev/shm /run /run/lock "$HOME" /workspace /workspace/.. "$TMPDIR" /dev /proc/self'
  const left = await stage.attempt({
    orders: [shell(`for place in ${places}; do echo x > $place/left-behind; done; ls /tmp ~`)],
  })
  assert.match(left.seen.join(), /left-behind/)
  const found = await stage.attempt({
    orders: [
      shell(`for place in ${places}; do ls -d $place/left-behind; done; find / -xdev -name left-behind; echo looked`),
    ],
  })
  assert.match(found.seen.join(), /looked/)
  assert.doesNotMatch(found.seen.join(), /^\/.*left-behind$/m)
  judge(stage, found)
})
