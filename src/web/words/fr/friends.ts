// Printed from locales/fr/friends.json. After a change there: bun run words
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
      'Ajoute des amis pour voir qui est en ligne, leur écrire, les appeler et créer des groupes.',
    ],
    waiting: [
      'Aucune demande en attente',
      'Les demandes d’ami envoyées ou reçues apparaissent ici jusqu’à leur réponse.',
    ],
    blocked: [
      'Personne n’est bloqué',
      'Les personnes que tu bloques ne peuvent ni t’écrire ni t’appeler. Elles n’en sont pas informées.',
    ],
  },
  nobody: 'Aucune personne trouvée',
  nobodyText: 'Saisis un nom d’utilisateur complet, ou une partie d’un nom affiché.',
  search: 'Nom d’utilisateur ou nom affiché',
  searchHint: 'Un nom d’utilisateur complet, ou une partie d’un nom affiché.',
  find: 'Rechercher',
  add: 'Ajouter en ami',
  accept: 'Accepter',
  decline: 'Refuser',
  cancel: 'Annuler la demande',
  remove: 'Retirer l’ami',
  block: 'Bloquer',
  unblock: 'Débloquer',
  messageRequests: {
    title: 'Demandes de message',
    text: (name) =>
      `${name} veut vous écrire et ne saura pas si vous avez lu ceci. Si vous répondez ou acceptez, ${name} pourra vous écrire comme les gens que vous connaissez.`,
    hint: 'Ici attendent les messages de personnes que vous ne connaissez pas. Ils ne vous notifient rien et leurs images sont couvertes.',
    ignore: 'Ignorer',
    ignored: 'Ignorée',
    none: 'Aucune demande de message',
  },
} satisfies typeof friendWords
