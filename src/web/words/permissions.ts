// Printed from locales/en/permissions.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words of the permissions of roles and channels. */
export const permissionWords = inLanguage('permissions', {
  topics: {
    general: 'General',
    messages: 'Messages',
    threads: 'Threads',
    voice: 'Voice',
    people: 'People',
    server: 'Server management',
    administrator: 'Everything',
  },
  allowed: ({ n, all }: { n: number; all: number }) => `${n} of ${all} allowed`,
  set: (n: number) => (n === 0 ? 'Inherited' : `${n} set here`),
  inServer: (isAllowed: boolean): string =>
    isAllowed ? 'Inherited from the server: allowed' : 'Inherited from the server: not allowed',
  private: 'Private channel',
  privateOn: 'Only the owner, administrators and the roles below can see it.',
  privateOff: 'Every member can see it.',
  privateHint: 'Only the owner and administrators can see it until you choose roles in its settings.',
  whoSees: 'Who can see it',
  noRoles: 'There are no roles below yours to choose from.',
  choices: {
    deny: 'Deny',
    inherit: 'Inherit',
    allow: 'Allow',
  },
  moderatorsOnly: 'Only moderators can write',
  moderatorsOnlyText: 'Everyone can read. Only roles that can manage messages can write.',
})
