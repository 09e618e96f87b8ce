import type { friendWords } from '../friends.ts'

export default {
  relation: {
    none: '',
    friends: 'Ami',
    pending_incoming: 'veut devenir ton ami',
    pending_outgoing: 'Demande envoyée',
    blocked: 'Bloqué',
  },
  tabs: {
    friends: 'Amis',
    waiting: 'Demandes',
    blocked: 'Bloqués',
    find: 'Trouver des personnes',
  },
  none: {
    friends: [
      'Pas encore d’amis',
      'Tes amis sont toujours à portée ici : vois qui est en ligne, écris, appelle et crée des groupes.',
    ],
    waiting: ['Aucune demande en attente', 'Les demandes envoyées ou reçues attendent ici leur réponse.'],
    blocked: ['Personne n’est bloqué', 'Qui tu bloques ne peut ni t’écrire ni t’appeler, et n’en est pas informé.'],
  },
  nobody: 'Personne n’a été trouvé',
  nobodyText: 'Un nom d’utilisateur doit être entier. Une partie du nom affiché suffit.',
  search: 'Nom d’utilisateur ou nom affiché',
  searchHint: 'Un nom d’utilisateur entier, ou une partie d’un nom affiché.',
  find: 'Rechercher',
  add: 'Ajouter en ami',
  accept: 'Accepter',
  decline: 'Refuser',
  cancel: 'Annuler la demande',
  remove: 'Retirer l’ami',
  block: 'Bloquer',
  unblock: 'Débloquer',
} satisfies typeof friendWords
