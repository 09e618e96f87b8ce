import type { laterWords } from '../later.ts'

export default {
  at: 'À un autre moment',
  saved: {
    title: 'Enregistrés',
    none: 'Rien d’enregistré pour l’instant',
    noneText: 'Choisis « Enregistrer le message » dans le menu d’un message. Toi seul vois ce que tu enregistres.',
    note: 'Note',
    noteText: 'Toi seul la vois.',
    remind: 'Me le rappeler',
    set: 'Définir le rappel',
    until: (time) => `Rappel ${time}`,
    since: (time) => `Rappel, en attente depuis ${time}`,
    clear: 'Retirer le rappel',
    done: 'Terminé',
    edit: 'Note et rappel…',
    remove: 'Retirer des enregistrés',
  },
} satisfies typeof laterWords
