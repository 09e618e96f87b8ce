// Printed from locales/en/voice.json. After a change there: bun run words
import type { Words } from './plural.ts'

/** Words for voice channels and calls that the page starts with. */
export const voiceWords = {
  voice: {
    members: 'Members of this call',
    start: 'Start a call',
    underway: 'A call is in progress',
    muted: 'muted',
    deafened: 'deafened',
    sharing: 'sharing a screen',
  },
} satisfies Words
