/** Of the format of records. A reader refuses those that it does not know. */
export const recordVersion = 1
