// Printed from locales/en/rules.json. After a change there: bun run words

/** The rules that people break in forms, as the server says them, with # for each number. */
export type Rule =
  | 'Must be # to # characters long'
  | 'Must be at least # characters long'
  | 'Must be at most # characters long'
  | 'Must not be blank'
  | 'Must not be empty'
  | 'Must not contain control characters'
  | 'Must not contain more than # combining marks in a row'
  | 'Must not contain endless combining marks'
  | 'Must contain an uppercase letter A-Z'
  | 'Must contain a lowercase letter a-z'
  | 'Must contain a digit #-#'
  | 'Must contain a special character of !@#$%^&*'
  | 'Must not be a common password'
  | 'Must be # to # characters of a-z, #-#, _ . -'
  | 'Must be # to # of a-z, #-# and _'
  | 'Invalid email address'
  | 'Must be # digits'
  | 'Must be # letters and digits, as they were shown'
  | 'Must be an http or https URL'
  | 'Must be a URL'
  | 'Must be at most # bytes'
  | 'At least one field is required'
  | 'Must be # to # characters long, unless the message carries files or forwards'
  | 'Too small: expected number to be >=#'
  | 'Too big: expected number to be <=#'
  | 'At most # words and phrases'
  | 'Ask for a word, or narrow the search by a place, an author, a time or another filter'
  | 'Must be in the future'
  | 'Must be within # days'
  | 'Must have at most # KiB'
  | 'An undamaged PNG, WebP or GIF of at most # KiB, or AVIF where the system reads it'

/** The rules in the page’s language: English takes the server’s sentences as they are. */
export const rules: Partial<Record<Rule, string>> = {}
