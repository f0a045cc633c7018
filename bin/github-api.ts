// Writes what tests hold GitHub's adapter and its fake to: the part of GitHub's published API that the fake speaks, out of
// the package that server/test/github/published/package.json names.
import { writeFileSync } from 'node:fs'
import { describeApi, apiFile } from './github/describe-api.ts'

writeFileSync(apiFile, describeApi())
console.log(`Written: ${apiFile}`)
