import { inLanguage } from './plural.ts'

/** Words of the permissions of roles and channels. */
export const permissionWords = inLanguage('permissions', {
  topics: {
    general: 'General',
    messages: 'Messages',
    threads: 'Threads',
    voice: 'Voice',
    people: 'People',
    server: 'Running the server',
    administrator: 'Everything',
  },
  allowed: (n: number, all: number) => `${n} of ${all} allowed`,
  set: (n: number) => (n === 0 ? 'As around it' : `${n} set here`),
  inServer: (isAllowed: boolean): string => (isAllowed ? 'As in the server: allowed' : 'As in the server: not allowed'),
  private: 'Private channel',
  privateOn: 'Only the owner, administrators and the roles below see it.',
  privateOff: 'Every member sees it.',
  privateHint: 'Only the owner and administrators see it, until you choose roles in its settings.',
  whoSees: 'Who sees it',
  noRoles: 'There is no role below yours to choose.',
  choices: { deny: 'Deny', inherit: 'As around it', allow: 'Allow' },
})
