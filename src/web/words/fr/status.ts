// Printed from locales/fr/status.json. After a change there: bun run words
import type { statusWords } from '../status.ts'

export default {
  title: 'Ton statut',
  choice: 'Les autres voient',
  about: {
    online: 'Absent après dix minutes sans activité',
    idle: 'Toujours absent',
    dnd: 'Ni notifications ni sons sur tes appareils',
    invisible: 'Hors ligne. Personne ne voit que tu écris et @here ne te prévient pas.',
  },
  text: 'Que fais-tu ?',
  emoji: 'Choisir un emoji',
  noEmoji: (emoji) => `Retirer ${emoji}`,
  ends: 'Se termine',
  never: 'jamais',
  callers: 'Amis dont les appels sonnent quand même, 50 au plus',
  seen: {
    title: 'Les autres te verront',
    text: 'Tu es invisible, mais tous ceux qui voient cet appel verront que tu y participes.',
    action: 'Rejoindre l’appel',
  },
} satisfies typeof statusWords
