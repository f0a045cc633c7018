/** The contract of sandboxes, held over the connection of a remote worker. */
import { openBubblewrap } from '#adapters/sandboxes/bubblewrap.ts'
import { remoteOf } from '#test/remote-sandboxes.ts'
import { testContract } from '#test/sandbox-contract.ts'

testContract({
  name: 'a remote worker',
  open: ({ folder }) => remoteOf(openBubblewrap({ folder }), { folder }),
  showsMountsReadOnly: true,
  isolates: true,
})
