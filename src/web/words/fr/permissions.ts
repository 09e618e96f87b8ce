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
  allowed: (n, all) => `${n} sur ${all} autorisées`,
  set: (n) => (n === 0 ? 'Comme au niveau supérieur' : `${n} réglées ici`),
  inServer: (isAllowed) => (isAllowed ? 'Comme sur le serveur : autorisé' : 'Comme sur le serveur : non autorisé'),
  private: 'Salon privé',
  privateOn: 'Seuls le propriétaire, les administrateurs et les rôles ci-dessous le voient.',
  privateOff: 'Tous les membres le voient.',
  privateHint:
    'Seuls le propriétaire et les administrateurs le voient, jusqu’à ce que tu choisisses des rôles ' +
    'dans ses paramètres.',
  whoSees: 'Qui le voit',
  noRoles: 'Il n’y a aucun rôle sous le tien à choisir.',
  choices: {
    deny: 'Refuser',
    inherit: 'Comme au niveau supérieur',
    allow: 'Autoriser',
  },
} satisfies typeof permissionWords
