// Printed from locales/en/phone.json. After a change there: bun run words
import { inLanguage } from './plural.ts'

/** Words of the tabs on a phone, and of calls there. */
export const phoneWords = inLanguage('phone', {
  tabs: 'Sections',
  home: 'Home',
  servers: 'Servers',
  inbox: 'Inbox',
  you: 'You',
  noServers: 'No servers yet',
  noServersText: 'Create one, or join one by an invite link.',
  toCall: (name: string) => `Return to the call in ${name}`,
  shrinkCall: 'Shrink the call',
})
