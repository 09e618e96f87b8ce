// Printed from locales/fr/voice.json. After a change there: bun run words
import type { voiceWords } from '../voice.ts'

export default {
  voice: {
    members: 'Membres de cet appel',
    start: 'Lancer un appel',
    underway: 'Un appel est en cours',
    declined: (name) => `${name} a refusé l’appel.`,
    muted: 'micro coupé',
    deafened: 'son coupé',
    sharing: 'partage un écran',
    noMicrophone: 'Pas de micro : tu peux écouter, mais les autres ne t’entendent pas.',
    noCalls: 'Ce navigateur ne prend pas en charge les appels (WebRTC). Utilise un autre navigateur ou appareil.',
    ended: {
      taken_over: 'L’appel continue sur un autre appareil.',
      access: 'Tu n’as plus accès à cet appel.',
      disconnected: 'La modération t’a déconnecté de l’appel.',
      media_unavailable: 'Le serveur ne peut pas assurer cet appel pour l’instant.',
    },
    endedOtherwise: 'L’appel est terminé.',
  },
} satisfies typeof voiceWords
