/** Where remote workers connect. What stands in front of the service hands it to a worker that listens for them. */
export const connectPath = '/v1/remote-workers/connect'
