// Printed from locales/fr/menus.json. After a change there: bun run words
import type { menuWords } from '../menus.ts'

export default {
  of: (name) => `Menu pour ${name}`,
  write: 'Envoyer un message',
  accept: 'Accepter la demande d’ami',
  read: 'Marquer comme lu',
  notifications: 'Notifications…',
  copyLink: 'Copier le lien',
  settings: 'Paramètres…',
  events: 'Événements',
  hide: 'Masquer la conversation',
  deleteChannel: 'Supprimer le salon',
  deleteCategory: 'Supprimer la catégorie',
  moveTo: 'Déplacer vers…',
  serverSettings: 'Paramètres du serveur',
  leaveServer: 'Quitter le serveur',
  leaveServerText: (name) => `Il te faudra une nouvelle invitation pour revenir sur ${name}.`,
} satisfies typeof menuWords
