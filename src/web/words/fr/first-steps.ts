// Printed from locales/fr/first-steps.json. After a change there: bun run words
import type { firstWords } from '../first-steps.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  templates: {
    friends: {
      title: 'Amis et famille',
      text: 'Faites des projets, partagez des photos et discutez en petit comité.',
      example: 'La maison du lac',
      channels: [
        {
          name: 'projets',
          topic: 'Nos prochains projets, et quand',
        },
        {
          name: 'photos',
          topic: 'Partage les plus belles',
        },
        {
          name: 'Salon',
        },
      ],
    },
    community: {
      title: 'Club ou communauté',
      text: 'Des nouvelles pour tout le monde, un lieu pour se saluer et des salons pour de nombreux sujets.',
      example: 'Amis des oiseaux',
      channels: [
        {
          name: 'nouvelles',
          topic: 'Ce que tout le monde devrait savoir',
        },
        {
          name: 'présentations',
          topic: 'Tu débarques ? Dis bonjour',
        },
        {
          name: 'questions',
          topic: 'Demande ce que tu veux',
        },
        {
          name: 'Lieu de rencontre',
        },
      ],
    },
    team: {
      title: 'Équipe ou entreprise',
      text: 'Discutez des tâches dans des fils, notez les décisions et retrouvez-vous en vocal.',
      example: 'Réparation du barrage',
      channels: [
        {
          name: 'tâches',
          topic: 'Qui fait quoi pour quand',
        },
        {
          name: 'décisions',
          topic: 'Ce que nous avons décidé, et pourquoi',
        },
        {
          name: 'café',
          topic: 'Tout sauf le travail',
        },
        {
          name: 'Point du jour',
        },
      ],
    },
    gaming: {
      title: 'Jeux',
      text: 'Trouvez des joueurs, parlez pendant la partie et partagez les meilleurs moments.',
      example: 'Les noctambules',
      channels: [
        {
          name: 'nouvelles',
          topic: 'Mises à jour et événements',
        },
        {
          name: 'cherche-joueurs',
          topic: 'Qui joue à quoi, et quand',
        },
        {
          name: 'extraits',
          topic: 'Tes meilleurs moments',
        },
        {
          name: 'Accueil',
        },
        {
          name: 'Partie',
        },
      ],
    },
    study: {
      title: 'Groupe d’étude',
      text: 'Demandez de l’aide, partagez vos notes et étudiez ensemble.',
      example: 'Algèbre II',
      channels: [
        {
          name: 'nouvelles',
          topic: 'Dates et annonces',
        },
        {
          name: 'devoirs',
          topic: 'Demander et donner de l’aide',
        },
        {
          name: 'notes',
          topic: 'Résumés et liens',
        },
        {
          name: 'Salle d’étude',
        },
      ],
    },
    project: {
      title: 'Projet open source',
      text: 'Annoncez les versions, aidez les utilisateurs et parlez du code.',
      example: 'Héron',
      channels: [
        {
          name: 'nouvelles',
          topic: 'Versions et annonces',
        },
        {
          name: 'aide',
          topic: 'Questions des utilisateurs',
        },
        {
          name: 'développement',
          topic: 'Code, relectures et projets',
        },
        {
          name: 'vitrine',
          topic: 'Ce que tu as fait avec',
        },
        {
          name: 'Réunion',
        },
      ],
    },
  },
  register: {
    title: 'Crée ton compte',
    closed: 'L’inscription est fermée sur ce serveur.',
    invited: (server) => `Tu rejoindras ensuite ${server}.`,
    name: 'Comment veux-tu qu’on t’appelle ?',
    nameHint: 'Tout le monde le voit. Tu peux le changer à tout moment.',
    usernameHint: 'Il te sert à te connecter. Personne d’autre ne le voit.',
    nameNotKept: 'Ton compte est prêt, mais ton nom n’a pas pu être enregistré. Définis-le dans les paramètres.',
  },
  home: {
    title: (name) => `Bienvenue, ${name}`,
    text: 'Discute sur des serveurs ou avec des amis. Par où veux-tu commencer ?',
    make: 'Créer un serveur',
    makeText: 'Un lieu à toi, pour les personnes que tu choisis.',
    join: 'Rejoindre avec une invitation',
    joinText: 'On t’a envoyé un lien ? Colle-le ici.',
    link: 'Lien ou code d’invitation',
    open: 'Ouvrir l’invitation',
    find: 'Trouver un ami',
    findText: 'Cherche par nom d’utilisateur ou nom affiché.',
  },
  setup: {
    steps: {
      name: 'Nom',
      picture: 'Image',
      channels: 'Salons',
      rules: 'Règles',
      invite: 'Inviter',
    },
    moderators: 'Modération',
    power: 'Rôles qui peuvent gérer',
    file: 'À partir d’un fichier',
    fileText: 'Un modèle enregistré dans les paramètres d’un autre serveur.',
    fileWrong: 'Ce fichier n’est pas un modèle.',
    rulesTitle: 'Fixez des règles',
    rulesText: 'Les nouveaux membres les acceptent avant de pouvoir écrire.',
    rulesExample: '1. Soyez aimables.\n2. Pas de spam.',
    progress: 'Étapes',
    whom: 'Pour qui est-il ?',
    next: 'Continuer',
    skip: 'Passer pour l’instant',
    pictureTitle: 'Ajoute une image',
    pictureText: 'Une image se repère plus vite qu’un nom. PNG, JPEG, WebP, GIF ou AVIF.',
    channelsTitle: 'De quoi allez-vous parler ?',
    channelsText:
      'Les salons séparent les sujets. Choisis-en quelques-uns pour commencer ; tu peux les changer à tout moment.',
    general: 'Déjà là, pour tout',
    readOnly: (topic) => `${topic}. Tout le monde peut lire, seule la modération peut écrire`,
    another: 'Un autre salon',
    add: 'Ajouter',
    make: (n) => (n === 0 ? 'Continuer' : count(n, 'Créer # salon', 'Créer # de salons', 'Créer # salons')),
    inviteTitle: 'Invite tes premiers membres',
    inviteText: 'Toute personne qui a ce lien peut rejoindre le serveur. Il est valable une semaine.',
    share: 'Partager…',
    open: (name) => `Ouvrir ${name}`,
  },
  invite: {
    from: 't’invite à rejoindre',
    without: 'On t’invite à rejoindre',
    online: (n) => `${digits(n)} en ligne`,
    until: (time) => `Cette invitation est valable jusqu’à ${time}.`,
    call: 'Tu seras membre jusqu’à cinq minutes après ton dernier appel ici.',
    day: 'Tu seras membre pendant un jour.',
    isMember: 'Tu es déjà membre.',
    over: 'Cette invitation n’est plus valable',
    overText: 'Elle a expiré, est épuisée ou a été révoquée. Demandes-en une nouvelle à la personne qui l’a envoyée.',
    unknown: 'Invitation introuvable',
    unknownText: 'Le lien est peut-être incomplet. Rouvre le lien entier, tel qu’on te l’a envoyé.',
    banned: 'Tu ne peux pas rejoindre ce serveur',
    bannedText: 'La modération t’a banni.',
    join: 'Rejoindre le serveur',
    notNow: 'Pas maintenant',
    back: 'Retour à tes conversations',
  },
} satisfies typeof firstWords
