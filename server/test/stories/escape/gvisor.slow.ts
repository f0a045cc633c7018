/** The same attacks where each container has a kernel of its own. */
import { tryFromContainers } from './try-from-containers.ts'

await tryFromContainers('runsc')
