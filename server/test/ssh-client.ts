import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { openWorkTree, testFolder, type GitOutcome, type WorkTree } from './test-git.ts'

export type SshKey = { file: string; line: string; fingerprint: string; private: string }

const run = (program: string, words: string[]) =>
  new Promise<GitOutcome>((resolve) => {
    execFile(program, words, { timeout: 60_000 }, (error, stdout, stderr) =>
      resolve({ exitCode: error ? Number(error.code) || 1 : 0, stdout, stderr }),
    )
  })

/** A key pair as people make one. */
export async function makeSshKey(...type: string[]): Promise<SshKey> {
  if (!existsSync('/usr/bin/ssh-keygen'))
    throw new Error('Tests of SSH need its clients: sudo apt-get install --no-install-recommends openssh-client')
  const file = path.join(mkdtempSync(path.join(await testFolder(), 'key-')), 'id')
  const words = type.length ? type : ['ed25519']
  await run('ssh-keygen', ['-q', '-t', ...words, '-N', '', '-C', 'deploy@example.com', '-f', file])
  const listed = await run('ssh-keygen', ['-l', '-f', file])
  return {
    file,
    line: readFileSync(`${file}.pub`, 'utf8'),
    fingerprint: listed.stdout.split(' ')[1] ?? '',
    private: readFileSync(file, 'utf8'),
  }
}

/** The options with which `ssh` uses one key, and knows one host. */
export async function sshOptions({ file }: Pick<SshKey, 'file'>, knownHosts?: string): Promise<string[]> {
  const known = path.join(mkdtempSync(path.join(await testFolder(), 'hosts-')), 'known')
  writeFileSync(known, knownHosts ?? '')
  const check = knownHosts === undefined ? 'no' : 'yes'
  const options = ['IdentitiesOnly=yes', 'BatchMode=yes', 'LogLevel=ERROR', `UserKnownHostsFile=${known}`]
  const named = [...options, `StrictHostKeyChecking=${check}`].flatMap((option) => ['-o', option])
  return ['-F', '/dev/null', '-i', file, ...named]
}

/** Runs something with `ssh` itself. */
export async function runSsh(key: SshKey, port: number, words: string[], user = 'git'): Promise<GitOutcome> {
  return run('ssh', [...(await sshOptions(key)), '-p', String(port), `${user}@127.0.0.1`, ...words])
}

/** A work tree whose git uses this key. */
export async function sshWorkTree(key: SshKey, folder?: string): Promise<WorkTree> {
  const tree = openWorkTree(folder ?? (await testFolder()))
  if (folder === undefined) await tree.git('init', '--quiet', '--initial-branch=main')
  await tree.git('config', 'core.sshCommand', `ssh ${(await sshOptions(key)).join(' ')}`)
  return tree
}
