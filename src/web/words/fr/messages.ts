// Printed from locales/fr/messages.json. After a change there: bun run words
import type { messageWords } from '../messages.ts'
import { listOf, spanOf } from '../plural.ts'
import { choose, count } from './plural.ts'

export default {
  messages: {
    list: (place) => `Messages dans ${place}`,
    beginnings: {
      channel: 'C’est le début du salon. Dis à quoi il sert et invite des personnes.',
      dm: 'C’est le début de votre conversation. Personne d’autre n’y participe.',
      group: 'C’est le début du groupe. Les personnes ajoutées plus tard peuvent voir tous les messages.',
      thread: 'C’est le début du fil. Tu le suis dès que tu y écris.',
    },
    one: 'message',
    spoiler: 'Afficher le spoiler',
    copyCode: 'Copier le code',
    codeCopied: 'Code copié.',
    fromBlocked: 'Message d’une personne que tu as bloquée.',
    show: 'Afficher le message',
    new: 'Nouveau',
    newAbove: 'Nouveaux messages plus haut',
    toNewest: 'Aller aux messages les plus récents',
    failed: 'Impossible de charger ces messages.',
    edited: '(modifié)',
    imported: 'importé',
    sending: 'envoi…',
    refused: 'Non envoyé :',
    retry: 'Réessayer',
    withoutReply: 'Envoyer sans la réponse',
    giveUp: 'Supprimer',
    replyTo: 'Réponse à',
    gone: 'Le message d’origine a été supprimé',
    selectThis: 'Sélectionner ce message',
    previews: 'Aperçus des liens',
    openPicture: (host) => `Image de ${host}`,
    video: 'Vidéo',
    webhook: 'Webhook',
  },
  notices: {
    raid_alert: (n) =>
      `Mode raid : trop d’arrivées d’un coup. ${n} sont en quarantaine, et personne d’autre ne peut entrer.`,
    automod_alert: ({ place, who, rule, n }) =>
      place === undefined
        ? `AutoMod : ${who} a enfreint la règle « ${rule} » (${n}×).`
        : `AutoMod : ${who} a enfreint la règle « ${rule} » dans ${place} (${n}×).`,
    shortCall: (who) => `${who} a lancé un appel qui a duré moins d’une minute.`,
    call: ({ who, seconds }) => `${who} a lancé un appel. Durée : ${spanOf(seconds)}.`,
    missed: (who) => `Tu as manqué un appel de ${who}.`,
    unanswered: 'Personne n’a répondu à ton appel.',
    recipient_added: ({ who, target }) => `${who} a ajouté ${target} au groupe.`,
    recipient_removed: ({ who, target }) => `${who} a retiré ${target} du groupe.`,
    left: (who) => `${who} a quitté le groupe.`,
    renamed: ({ who, name }) => `${who} a nommé le groupe ${name}.`,
    unnamed: (who) => `${who} a retiré le nom du groupe.`,
    member_joined: (who) => `${who} a rejoint le serveur.`,
    pinned: (who) => `${who} a épinglé un message.`,
    thread_created: ({ who, name }) => `${who} a lancé le fil ${name}.`,
    poll_ended: 'Un sondage est terminé.',
  },
  retention: {
    pruned: 'Les messages plus anciens ont été supprimés.',
    messages: (n) =>
      count(
        n,
        'Les messages sont supprimés après # jour.',
        'Les messages sont supprimés après # de jours.',
        'Les messages sont supprimés après # jours.',
      ),
    files: (n) =>
      count(
        n,
        'Les fichiers sont supprimés après # jour.',
        'Les fichiers sont supprimés après # de jours.',
        'Les fichiers sont supprimés après # jours.',
      ),
  },
  forward: {
    forwarded: 'Transféré',
    original: 'Aller à l’original',
  },
  composer: {
    to: (place) => `Écrire dans ${place}`,
    send: 'Envoyer',
    later: 'Envoyer plus tard',
    poll: 'Créer un sondage',
    record: 'Enregistrer un message vocal',
    replyMention: (name) => `Mentionner ${name} dans la réponse`,
    mentionOn: '@ activé',
    mentionOff: '@ désactivé',
    mayNot: 'Tu n’as pas la permission d’envoyer des messages ici.',
    timedOut: (time) => `Tu es en exclusion temporaire jusqu’à ${time}. Tu peux lire, mais pas écrire.`,
    blocked: 'Tu as bloqué cette personne. Débloque-la pour écrire.',
  },
  files: {
    add: 'Ajouter des fichiers',
    drop: 'Dépose des fichiers ici',
    waiting: 'Ce message sera envoyé une fois ses fichiers téléversés.',
    open: (name) => `Ouvrir ${name}`,
    spoiler: 'Spoiler',
    reveal: 'Afficher le fichier spoiler',
    count: (n) => count(n, '# fichier', '# de fichiers', '# fichiers'),
    uncover: 'Afficher cette image',
    openDescribed: ({ alt, name }) => `${alt}. Ouvrir ${name}`,
  },
  direct: {
    list: 'Messages privés',
    none: 'Tes conversations avec des personnes et des groupes apparaissent ici.',
    begin: 'Lancer une conversation',
    cannot: 'Cette personne n’accepte pas tes messages.',
    hide: (name) => `Masquer la conversation avec ${name}`,
    write: (name) => `Écrire à ${name}`,
    read: 'Lu',
    requests: (n) =>
      n === 0
        ? 'Demandes de message'
        : count(n, '# demande de message', '# de demandes de message', '# demandes de message'),
  },
  groups: {
    new: 'Nouvelle conversation',
    add: 'Ajouter des personnes',
    settings: 'Paramètres du groupe',
    people: (n) => count(n, '# personne', '# de personnes', '# personnes'),
  },
  typing: ({ names, n }) =>
    choose(n, `${listOf(names)} écrit…`, `${listOf(names)} écrivent…`, `${listOf(names)} écrivent…`),
  typingMany: 'Plusieurs personnes écrivent…',
} satisfies typeof messageWords
