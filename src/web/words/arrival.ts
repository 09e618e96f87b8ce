import { inLanguage } from './plural.ts'

/** Words about new members of a server, and what they may choose. */
export const arrivalWords = inLanguage('arrival', {
  tab: 'New members',
  rules: 'Rules',
  rulesHint:
    'People who join later accept these rules before they can write. A change shows members a banner and ' +
    'holds nobody back.',
  rulesField: 'Rules (Markdown, at most 16 lines)',
  saveRules: 'Save rules',
  waiting: 'You are almost in: accept the rules to take part.',
  changed: 'The rules of this server have changed.',
  read: 'Read the rules',
  rulesOf: (server: string) => `Rules of ${server}`,
  accept: 'Accept the rules',
  goIn: 'Go in',
  noRules: 'This server has no rules. You can go in.',
  readAgain: 'The rules have just changed. Please read them again.',
  welcome: 'Welcome!',
  wave: 'Wave',
})
