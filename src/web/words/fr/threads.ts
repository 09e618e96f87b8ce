// Printed from locales/fr/threads.json. After a change there: bun run words
import type { threadWords } from '../threads.ts'
import { count } from './plural.ts'

export default {
  threads: {
    title: 'Fils',
    show: (isLively) => (isLively ? 'Fils, avec de nouveaux messages' : 'Fils'),
    begin: 'Lancer un fil',
    open: 'Ouvrir le fil',
    archived: 'Archivés',
    close: 'Fermer le fil',
    panel: (name) => `Fil ${name}`,
    messages: (n) => (n === 0 ? 'pas encore de messages' : count(n, '# message', '# de messages', '# messages')),
    follow: 'Suivre',
    unfollow: 'Suivi',
    followHint: 'Ses messages comptent comme non lus',
    actions: 'Actions du fil',
    rename: 'Renommer',
    settings: 'Paramètres du fil',
    link: 'Copier le lien du fil',
    archive: 'Archiver',
    bringBack: 'Désarchiver',
    lock: 'Verrouiller',
    unlock: 'Déverrouiller',
    locked: 'verrouillé',
    lockedHint: 'Ce fil est verrouillé.',
    archivedHint: 'Ce fil est archivé. Un nouveau message le ramène.',
    delete: 'Supprimer le fil',
    deleteText: 'Cela supprime le fil avec ses messages et fichiers pour tout le monde.',
    answer: 'Marquer comme réponse',
    noAnswer: 'Ne plus marquer comme réponse',
  },
} satisfies typeof threadWords
