/** One check of the doctor. */
export interface Check {
  name: string
  /** The fault as part of a sentence; undefined if the check passed. */
  fault?: string | undefined
  /** Why it was not checked, as part of a sentence. */
  unchecked?: string
}
