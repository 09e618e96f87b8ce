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
  choices: 'Channels and roles',
  pick: 'Roles that you can pick',
  pickHint: 'You can change your choice at any time.',
  nothing: 'Nothing to choose yet',
  nothingText: 'This server offers no choices to its members.',
  mayNotChoose: 'You can choose once you can write here.',
  selfAssignable: 'Members can pick this role themselves',
  selfAssignableHint:
    'It then has no rank, and only permissions that everyone starts with. Members keep it if you switch this off.',
  opens: 'Open channels to everyone?',
  opensText: (channels: string) => `Everyone can pick the role, so everyone will be able to see: ${channels}`,
  open: 'Open them',
  hidden: 'a channel that you do not see',
})
