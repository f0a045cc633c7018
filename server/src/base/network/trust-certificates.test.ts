import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import path from 'node:path'
import { after, test } from 'node:test'
import { runGit } from '#adapters/codehosts/local/run-git.ts'
import { testFolder } from '#test/test-git.ts'
import { listen, makeCertificate } from '#test/test-proxy.ts'
import { trustCertificates, trustedBundle } from './trust-certificates.ts'

const folder = await testFolder()
const { key, certificate, certificateFile } = await makeCertificate(['localhost'])
const server = createServer({ key, cert: certificate }, (_, answer) => answer.writeHead(404).end('nothing'))
const url = `https://localhost:${await listen(server)}`
after(() => server.close())

const askByGit = () => runGit({ arguments: ['ls-remote', `${url}/x.git`], protocols: ['https'], timeoutMs: 20_000 })

test('what cannot be trusted is refused in a sentence that names the file, and changes nothing', async () => {
  const file = path.join(folder, 'ca.pem')
  const refuse = (text: string | null, sentence: RegExp) => {
    if (text !== null) writeFileSync(file, text)
    return assert.rejects(trustCertificates(file, folder), sentence)
  }
  await refuse(null, /^Error: RUNWRIGHT_CA_FILE: the file \S+ca\.pem cannot be read \(ENOENT\)\.$/)
  await refuse('', /holds no certificate in PEM form/)
  await refuse(key, /holds no certificate in PEM form/)
  const broken = certificate.replace(/\n[A-Za-z0-9+/=]{64}\n/, '\n')
  await refuse(`${certificate}\n${broken}`, /certificate 2 in \S+ca\.pem is not a valid one\.$/)
  mkdirSync(path.join(folder, 'folder'))
  await assert.rejects(trustCertificates(path.join(folder, 'folder'), folder), /cannot be read \(EISDIR\)/)
  assert.equal(trustedBundle(), null)
})

test("a company's authority is trusted by requests and by git, beside all others", async () => {
  await assert.rejects(fetch(url), ({ cause }) => /self-signed/.test(String(cause)))
  assert.match((await askByGit()).stderr, /certificate/)
  await trustCertificates(certificateFile, folder)
  assert.equal((await fetch(url)).status, 404)
  assert.match((await askByGit()).stderr, /repository '\S+' not found/)
  const bundle = readFileSync(trustedBundle() ?? '', 'utf8')
  assert.ok(bundle.includes(certificate.trim()))
  assert.ok(bundle.split('BEGIN CERTIFICATE').length > 50, 'those of everybody else are there, too')
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.startsWith('trusted')),
    ['trusted.pem'],
  )
})
