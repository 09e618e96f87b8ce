import type { securityWords } from '../security.ts'
import { count } from './plural.ts'

export default {
  methods: {
    password: 'Utiliser ton mot de passe',
    code: 'Utiliser ton application d’authentification',
    recovery_code: 'Utiliser un code de récupération',
    passkey: 'Utiliser une clé d’accès',
  },
  fields: {
    password: 'Mot de passe',
    code: 'Code de ton application d’authentification',
    recovery_code: 'Code de récupération',
  },
  problems: {
    invalid_code: 'Ce code est faux, a expiré ou a déjà servi. Attends le suivant.',
    login_expired: 'Cela a pris trop de temps, ou trop d’essais. Connecte-toi de nouveau.',
    invalid_credentials: 'Ce n’est pas ton mot de passe.',
  },
  recoveryHint: 'L’un des dix codes que tu as enregistrés. Chacun sert une fois.',
  second: {
    title: 'Encore une étape',
    text: 'Montre que c’est toi.',
    login: 'Se connecter',
    back: 'Retour',
  },
  proof: {
    title: 'C’est bien toi ?',
    text: 'Cela change qui peut entrer dans ton compte. On ne te le redemandera pas pendant dix minutes.',
    go: 'Continuer',
    none: 'Rien ici ne permet de le montrer. Demande à qui gère ce serveur un lien pour un mot de passe.',
  },
  notThere: 'Le navigateur n’a pas utilisé de clé d’accès : c’était annulé, ou il n’y en a pas pour ce site.',
  app: {
    title: 'Application d’authentification',
    off: 'En plus de ton mot de passe, une connexion demande alors un code d’une application sur ton téléphone.',
    since: (time) => `Activée depuis ${time}. Une connexion demande un code de ton application.`,
    left: (n) =>
      count(
        n,
        '# code de récupération restant',
        '# de codes de récupération restants',
        '# codes de récupération restants',
      ),
    setUp: 'Configurer',
    turnOff: 'Désactiver',
    turnOffText: 'Ton mot de passe suffira pour te connecter. Tes codes de récupération cessent de fonctionner.',
    isOff: 'L’application d’authentification est désactivée',
    newCodes: 'Nouveaux codes de récupération',
    scan: 'Scanne ceci avec ton application d’authentification.',
    picture: 'Code QR pour l’application d’authentification',
    type: 'Ou saisis cette clé dans l’application :',
    confirm: 'Saisis ensuite le code qu’elle affiche',
    turnOn: 'Activer',
  },
  codes: {
    title: 'Tes codes de récupération',
    text:
      'Enregistre-les maintenant : ils ne sont montrés qu’une fois. Chacun te connecte une fois, quand ' +
      'ton application n’est pas à portée. Les précédents ne fonctionnent plus.',
    file: 'parley-codes-de-recuperation.txt',
    heading: (name, host) => `Codes de récupération de ${name} sur ${host}`,
    download: 'Télécharger',
    saved: 'Je les ai enregistrés',
  },
  passkeys: {
    title: 'Clés d’accès',
    text: 'Une clé d’accès te connecte par empreinte, visage, PIN ou clé de sécurité, sans mot de passe.',
    add: 'Ajouter une clé d’accès',
    added: (time) => `ajoutée ${time}`,
    used: (time) => `dernière utilisation ${time}`,
    name: 'Nom',
    nameHint: 'Pour la reconnaître, par exemple « Téléphone ».',
    rename: 'Renommer',
    renameOf: (name) => `Renommer ${name}`,
    remove: 'Retirer',
    removeOf: (name) => `Retirer ${name}`,
    removeText: (name) => `${name} ne te connectera plus ici.`,
  },
} satisfies typeof securityWords
