import { X509Certificate } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

const certificatePattern = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

let bundle: string | null = null

/** A file with all certificates that this process trusts, and those of the machine, for programs that take one file. Null: they have their own. */
export const trustedBundle = (): string | null => bundle

/**
 * Has every connection of this process trust the certificate authorities in a PEM file besides those that Node.js brings; for
 * other programs it writes `trustedBundle` to `folder`. Rejects with a sentence where the file cannot be read, holds no
 * certificate or one that is none.
 */
export async function trustCertificates(file: string, folder: string): Promise<void> {
  const own = await readCertificates(file)
  const brought = getCACertificates('default')
  setDefaultCACertificates([...brought, ...own])
  const all = [...new Set([...brought, ...getCACertificates('system'), ...own].map((text) => text.trim()))]
  const written = path.join(folder, 'trusted.pem')
  await mkdir(folder, { recursive: true })
  // Several processes may start at once; who reads it finds all of it.
  const draft = `${written}.${process.pid}`
  await writeFile(draft, `${all.join('\n')}\n`, { mode: 0o644 })
  await rename(draft, written)
  bundle = written
}

async function readCertificates(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(`RUNWRIGHT_CA_FILE: the file ${file} cannot be read (${error.code ?? error.message}).`)
  })
  const found = text.match(certificatePattern) ?? []
  if (found.length === 0)
    throw new Error(`RUNWRIGHT_CA_FILE: the file ${file} holds no certificate in PEM form ("BEGIN CERTIFICATE").`)
  for (const [index, certificate] of found.entries())
    if (!isCertificate(certificate))
      throw new Error(`RUNWRIGHT_CA_FILE: certificate ${index + 1} in ${file} is not a valid one.`)
  return found
}

function isCertificate(text: string): boolean {
  try {
    return new X509Certificate(text).raw.length > 0
  } catch {
    return false
  }
}
