import { testContract } from '#test/sandbox-contract.ts'
import { openBubblewrap } from './bubblewrap.ts'
import { openUnsafe } from './unsafe.ts'

testContract({ name: 'bubblewrap', open: openBubblewrap, showsMountsReadOnly: true, isolates: true })
testContract({ name: 'unsafe', open: openUnsafe, showsMountsReadOnly: false, isolates: false })
