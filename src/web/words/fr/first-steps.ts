import type { firstWords } from '../first-steps.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  templates: {
    friends: {
      title: 'Amis et famille',
      text: 'Quelques personnes, des projets, des photos et un endroit pour parler.',
      example: 'La maison du lac',
      channels: [
        ['text', 'projets', 'Ce qu’on fait ensuite, et quand'],
        ['text', 'photos', 'Envoie les belles'],
        ['voice', 'Salon', ''],
      ],
    },
    community: {
      title: 'Club ou communauté',
      text: 'Des nouvelles pour tout le monde, un lieu pour se saluer et de la place pour de nombreux sujets.',
      example: 'Amis des oiseaux',
      channels: [
        ['text', 'nouvelles', 'Ce que tout le monde devrait savoir'],
        ['text', 'présentations', 'Tu débarques ? Dis bonjour'],
        ['text', 'questions', 'Demande ce que tu veux'],
        ['voice', 'Lieu de rencontre', ''],
      ],
    },
    team: {
      title: 'Équipe ou projet',
      text: 'Travaillez dans des fils, décidez par écrit et retrouvez-vous sans lien.',
      example: 'Réparation du barrage',
      channels: [
        ['text', 'tâches', 'Qui fait quoi pour quand'],
        ['text', 'décisions', 'Ce que nous avons décidé, et pourquoi'],
        ['text', 'café', 'Tout sauf le travail'],
        ['voice', 'Point du jour', ''],
      ],
    },
  },
  register: {
    title: 'Crée ton compte',
    closed: 'Ce serveur n’accepte pas de nouveaux comptes.',
    invited: (server) => `Tu rejoindras ensuite ${server}.`,
    name: 'Comment veux-tu qu’on t’appelle ?',
    nameHint: 'Tout le monde le voit. Tu peux le changer à tout moment.',
    usernameHint: 'Il te sert à te connecter. Personne d’autre ne le voit.',
    nameNotKept: 'Ton compte est prêt. Ton nom n’a pas pu être enregistré : choisis-le de nouveau dans les paramètres.',
  },
  home: {
    title: (name) => `Bienvenue, ${name}`,
    text: 'Les conversations ont lieu sur des serveurs et entre amis. Par où veux-tu commencer ?',
    make: 'Créer un serveur',
    makeText: 'Un lieu à toi, pour les personnes que tu choisis.',
    join: 'Rejoindre avec une invitation',
    joinText: 'On t’a envoyé un lien ? Colle-le ici.',
    link: 'Lien ou code d’invitation',
    open: 'Ouvrir l’invitation',
    find: 'Trouver un ami',
    findText: 'Demande son nom d’utilisateur, ou cherche le nom qu’il affiche.',
  },
  setup: {
    steps: {
      name: 'Nom',
      picture: 'Image',
      channels: 'Salons',
      invite: 'Inviter',
    },
    progress: 'Étapes',
    whom: 'Pour qui est-il ?',
    next: 'Continuer',
    skip: 'Passer pour l’instant',
    pictureTitle: 'Donne-lui un visage',
    pictureText: 'Une image se trouve plus vite qu’un nom. PNG, JPEG, WebP, GIF ou AVIF.',
    channelsTitle: 'De quoi allez-vous parler ?',
    channelsText:
      'Les salons séparent les sujets. Choisis-en quelques-uns pour commencer ; tu peux les changer à ' +
      'tout moment.',
    general: 'Existe déjà, pour tout',
    readOnly: (topic) => `${topic}. Tout le monde lit, seule la modération écrit`,
    another: 'Un autre salon',
    add: 'Ajouter',
    make: (n) => (n === 0 ? 'Continuer' : count(n, 'Créer # salon', 'Créer # de salons', 'Créer # salons')),
    inviteTitle: 'Fais venir les premières personnes',
    inviteText: 'Qui ouvre ce lien peut rejoindre. Il est valable une semaine.',
    share: 'Partager…',
    open: (name) => `Ouvrir ${name}`,
  },
  invite: {
    from: 't’invite à rejoindre',
    without: 'On t’invite à rejoindre',
    online: (n) => `${digits(n)} en ligne`,
    until: (time) => `Cette invitation est valable jusqu’à ${time}.`,
    isMember: 'Tu es déjà membre.',
    over: 'Cette invitation est terminée',
    overText: 'Elle a expiré, est épuisée ou a été retirée. Demandes-en une nouvelle à la personne qui l’a envoyée.',
    unknown: 'Cette invitation n’existe pas',
    unknownText: 'Il manque peut-être une lettre : rouvre le lien entier, tel qu’on te l’a envoyé.',
    banned: 'Tu ne peux pas rejoindre ce serveur',
    bannedText: 'Une personne qui le gère t’a banni.',
  },
} satisfies typeof firstWords
