// Printed from locales/fr/permissions.json. After a change there: bun run words
import type { permissionWords } from '../permissions.ts'

export default {
  topics: {
    general: 'Général',
    messages: 'Messages',
    threads: 'Fils',
    voice: 'Vocal',
    people: 'Personnes',
    server: 'Gestion du serveur',
    administrator: 'Tout',
  },
  allowed: ({ n, all }) => `${n} sur ${all} autorisées`,
  set: (n) => (n === 0 ? 'Héritées' : `${n} réglées ici`),
  inServer: (isAllowed) => (isAllowed ? 'Héritée du serveur : autorisée' : 'Héritée du serveur : non autorisée'),
  private: 'Salon privé',
  privateOn: 'Seuls le propriétaire, les administrateurs et les rôles ci-dessous peuvent le voir.',
  privateOff: 'Tous les membres peuvent le voir.',
  privateHint:
    'Seuls le propriétaire et les administrateurs peuvent le voir, jusqu’à ce que tu choisisses des rôles dans ses paramètres.',
  whoSees: 'Qui peut le voir',
  noRoles: 'Il n’y a aucun rôle sous le tien à choisir.',
  choices: {
    deny: 'Refuser',
    inherit: 'Hériter',
    allow: 'Autoriser',
  },
  moderatorsOnly: 'Seuls les modérateurs écrivent',
  moderatorsOnlyText: 'Tout le monde peut lire ; les rôles qui gèrent les messages peuvent écrire.',
} satisfies typeof permissionWords
