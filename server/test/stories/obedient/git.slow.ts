import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { shell } from './obedient-model.ts'
import { setStage, walkWays, type Attempt } from './stage.ts'

const stage = await setStage()
const { service, repo, neighbour, receivers } = stage
/** Where what the agent planted would leave a sign, if the service ran it: outside of every sandbox. */
const sign = path.join(os.tmpdir(), `runwright-sign-${process.pid}`)
const neighbourPath = path.join(service.dataDir, `git/${neighbour.organizationId}`)

/** Refs of the repository as whoever clones it sees them, but for the branches that began the ways. */
function readRefs(): Map<string, string> {
  const address = new URL(repo.git_url)
  Object.assign(address, { username: 'ada', password: service.token })
  const lines = execFileSync('git', ['ls-remote', address.href], { encoding: 'utf8' }).trim().split('\n')
  const refs = lines
    .map((line) => line.split('\t') as [string, string])
    .map(([commit, name]) => [name, commit] as const)
  return new Map(refs.filter(([name]) => !name.startsWith('refs/heads/way-') && name !== 'HEAD'))
}

const before = readRefs()
const ranNothing = () => assert.ok(!existsSync(sign), 'something of the agent ran outside of its sandbox')
/** Nothing but branches of runs is new, and what there was stands where it stood. */
const onlyOwnBranch = ({ run }: Attempt) => {
  ranNothing()
  const now = readRefs()
  for (const [name, commit] of before) assert.equal(now.get(name), commit, name)
  const others = [...now.keys()].filter((name) => !before.has(name) && !/^refs\/(heads\/agent\/|pull\/)/.test(name))
  assert.deepEqual(others, [], String(run.branch))
}

walkWays(stage, {
  'hooks, filters and commands in the settings of the work tree': {
    orders: [
      shell(`for hook in pre-commit post-commit pre-push post-checkout reference-transaction post-index-change pre-receive update post-update prepare-commit-msg fsmonitor-watchman pre-auto-gc; do
          printf '#!/bin/sh\\ntouch ${sign}\\n' > .git/hooks/$hook; chmod +x .git/hooks/$hook; done; cp -r .git/hooks .hooks
        git config core.hooksPath .hooks; git config core.fsmonitor 'touch ${sign}; false'; git config core.sshCommand 'touch ${sign}'; git config core.pager 'touch ${sign}'; git config diff.external 'touch ${sign}'
        git config filter.x.clean 'touch ${sign}; cat'; git config filter.x.smudge 'touch ${sign}; cat'; git config filter.x.process 'touch ${sign}'; git config diff.x.textconv 'touch ${sign}; cat'; git config merge.x.driver 'touch ${sign}'
        git config alias.commit '!touch ${sign}'; git config gpg.program 'touch ${sign}'; git config commit.gpgSign true; git config credential.helper '!touch ${sign}'; git config uploadpack.packObjectsHook 'touch ${sign}'; git config core.editor 'touch ${sign}'; git config include.path ../.hooks/config
        echo '* filter=x diff=x merge=x' > .gitattributes; echo more >> README.md; git config --list | grep -c ${sign}`),
    ],
    tried: /^1\d$/m,
    check: ranNothing,
  },
  'a work tree that leads into the repositories of the service': {
    orders: [
      shell(`mv .git /tmp/own; printf 'gitdir: ${service.dataDir}/git/1/receipts.git\\n' > .git; git log -1; git push -f origin HEAD:main; rm .git; ln -s ${neighbourPath} .git; ls .git/; git log -1; rm .git; mv /tmp/own .git
        printf '${neighbourPath}/ledger.git/objects\\n/run/runwright/mounts/../../../${neighbourPath}/ledger.git/objects\\n' >> .git/objects/info/alternates; git cat-file --batch-all-objects --batch-check | wc -l; echo more > more.txt`),
    ],
    tried: /(not a git repository|No such file)/i,
    check: onlyOwnBranch,
  },
  'other branches, tags and notes': {
    orders: [
      shell(
        `echo more > more.txt; git add -A; git commit -qm more; git branch -f main; git branch release; git tag v1; git notes add -m note; git update-ref refs/heads/way-1 HEAD; git update-ref refs/internal/x HEAD; git symbolic-ref refs/heads/link refs/heads/main
        for target in main release refs/tags/v1 refs/notes/commits refs/heads/way-1 refs/internal/x refs/pull/1/head :main refs/heads/agent/1-other '+HEAD:main' 'refs/heads/*:refs/heads/*' --mirror --all --tags; do timeout 20 git push -q origin $target && echo GAINED $target; done 2>&1; echo pushed`,
        300,
      ),
    ],
    tried: /pushed/,
    check: onlyOwnBranch,
  },
  "another run's branch, and another repository, through the gateway": {
    orders: [
      shell(
        `url=$(git remote get-url origin 2> /dev/null || echo http://127.0.0.1:3128/git/1/receipts.git); echo "$url"; echo more > more.txt; git add -A; git commit -qm more
        for other in "$(dirname $url)/ledger.git" http://127.0.0.1:3128/git/${neighbour.organizationId}/ledger.git http://127.0.0.1:3128/git/${neighbour.organizationId}/runs/${neighbour.runId}.git "$url/../ledger.git" http://127.0.0.1:3128/git/1/..%2f${neighbour.organizationId}/ledger.git; do
          timeout 20 git ls-remote "$other" && echo GAINED "$other"; timeout 20 git push -q "$other" HEAD:refs/heads/loot && echo GAINED "$other"; done 2>&1
        timeout 20 git push -q "$url" HEAD:refs/heads/agent/99-of-another && echo GAINED; timeout 20 git push -q "$url" HEAD:main && echo GAINED; echo pushed`,
        300,
      ),
    ],
    tried: /pushed/,
    check: (attempt) => {
      assert.doesNotMatch(attempt.seen.join('\n'), /GAINED/)
      onlyOwnBranch(attempt)
    },
  },
  'trees that are no trees, and names that lead elsewhere': {
    orders: [
      shell(`blob=$(echo pwn | git hash-object -w --stdin); tree() { git hash-object -t tree -w --literally --stdin; }
        evil=$(printf '100644 ../../../../tmp/pwn\\0%b' "$(echo $blob | sed 's/../\\\\x&/g')" | tree); config=$(printf '100644 blob %s\\tconfig\\n' $blob | git mktree); git=$(printf '040000 .GIT\\0%b' "$(echo $config | sed 's/../\\\\x&/g')" | tree)
        commit=$(git commit-tree $git -p HEAD -m evil); git update-ref HEAD $commit; git log -1 --format=%s; echo more > more.txt`),
    ],
    tried: /evil/,
    check: (attempt) => {
      onlyOwnBranch(attempt)
      assert.notEqual(attempt.run.status, 'completed', 'a tree with a folder .GIT was taken')
    },
  },
  'links and modules that whoever checks out would follow': {
    orders: [
      shell(
        `ln -s ${sign} sign; ln -s /etc/passwd passwd; ln -s ../../../../../../etc link; printf '[submodule "x"]\\n\\tpath = x\\n\\turl = http://127.0.0.1:${receivers.tcp.loopback}/x.git\\n\\tupdate = !touch ${sign}\\n' > .gitmodules; git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),x; git add -A; git commit -qm links; git log -1 --format=%s`,
      ),
    ],
    tried: /links/,
    check: onlyOwnBranch,
  },
  'a history that says that others wrote it': {
    orders: [
      shell(
        `echo more > more.txt; git add -A; GIT_AUTHOR_NAME='$(touch ${sign})' GIT_AUTHOR_EMAIL='a@b>\\n' GIT_COMMITTER_NAME='Linus' git commit -qm "\`touch ${sign}\` \\$(touch ${sign})" -m 'Co-authored-by: The Admin <admin@example.com>'; git replace HEAD HEAD~1; echo 'x y' >> .git/info/grafts; echo $(git rev-parse HEAD~1) >> .git/shallow; git log -1 --format=%an; echo written`,
      ),
    ],
    tried: /written/,
    check: onlyOwnBranch,
  },
})

test('nothing of all this ran outside of its sandbox', ranNothing)
