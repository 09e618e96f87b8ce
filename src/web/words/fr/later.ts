// Printed from locales/fr/later.json. After a change there: bun run words
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
  scheduled: {
    title: 'Programmés',
    none: 'Rien de programmé',
    noneText: 'Écris un message, puis choisis « Envoyer plus tard » au lieu de l’envoyer.',
    schedule: 'Programmer',
    at: (time) => `Sera envoyé : ${time}`,
    edit: 'Modifier…',
    held: 'Tes messages programmés sont suspendus, car tes sessions ont été fermées ou une sauvegarde a été restaurée. Vérifie-les, puis confirme.',
    isHeld: 'Suspendu jusqu’à ta confirmation',
    confirm: 'Tout confirmer',
    overdue: 'Non envoyé : l’heure était passée.',
  },
} satisfies typeof laterWords
