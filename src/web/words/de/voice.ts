// Printed from locales/de/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'Mitglieder dieses Anrufs',
    start: 'Anruf starten',
    underway: 'Ein Anruf läuft',
    declined: (name) => `${name} hat den Anruf abgelehnt.`,
    muted: 'stumm',
    deafened: 'hört nichts',
    sharing: 'teilt einen Bildschirm',
    noMicrophone: 'Kein Mikrofon: Du kannst zuhören, aber andere hören dich nicht.',
    noCalls: 'Dieser Browser unterstützt keine Anrufe (WebRTC). Nimm einen anderen Browser oder ein anderes Gerät.',
    ended: {
      taken_over: 'Der Anruf läuft auf einem anderen Gerät weiter.',
      access: 'Du hast keinen Zugriff mehr auf diesen Anruf.',
      disconnected: 'Die Moderation hat dich aus dem Anruf entfernt.',
      media_unavailable: 'Der Server kann diesen Anruf gerade nicht übertragen.',
    },
    endedOtherwise: 'Der Anruf ist beendet.',
  },
} satisfies typeof voiceWords
