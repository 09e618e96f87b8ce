// Printed from locales/fr/security.json. After a change there: bun run words
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
    invalid_code: 'Ce code est incorrect, a expiré ou a déjà servi. Attends le suivant.',
    login_expired: 'Cela a pris trop de temps, ou il y a eu trop de tentatives. Connecte-toi de nouveau.',
    invalid_credentials: 'Mot de passe incorrect.',
  },
  recoveryHint: 'L’un des dix codes que tu as enregistrés. Chacun sert une fois.',
  second: {
    title: 'Encore une étape',
    text: 'Confirme que c’est bien toi.',
    login: 'Se connecter',
    back: 'Retour',
  },
  proof: {
    title: 'Confirme que c’est bien toi',
    text: 'Cela change qui peut entrer dans ton compte. On ne te le redemandera pas pendant dix minutes.',
    go: 'Continuer',
    none: 'Tu n’as aucun moyen de confirmer ton identité ici. Demande à l’opérateur de ce serveur un lien de réinitialisation du mot de passe.',
  },
  notThere: 'Aucune clé d’accès n’a été utilisée : tu as annulé, ou il n’y en a pas pour ce site.',
  app: {
    title: 'Application d’authentification',
    off: 'La connexion demandera aussi un code d’une application sur ton téléphone.',
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
    turnOffText:
      'Tu n’auras besoin que de ton mot de passe pour te connecter. Tes codes de récupération cessent de fonctionner.',
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
    text: 'Enregistre-les maintenant : ils ne sont affichés qu’une fois. Chaque code sert une fois, quand tu n’as pas ton application. Les codes précédents ne fonctionnent plus.',
    file: 'parley-codes-de-recuperation.txt',
    heading: ({ name, host }) => `Codes de récupération pour ${name} sur ${host}`,
    download: 'Télécharger',
    saved: 'Je les ai enregistrés',
  },
  passkeys: {
    title: 'Clés d’accès',
    text: 'Connecte-toi par empreinte, visage, code PIN ou clé de sécurité, sans mot de passe.',
    add: 'Ajouter une clé d’accès',
    added: (time) => `ajoutée ${time}`,
    used: (time) => `dernière utilisation ${time}`,
    name: 'Nom',
    nameHint: 'Pour la reconnaître plus tard, par exemple « Téléphone ».',
    rename: 'Renommer',
    renameOf: (name) => `Renommer ${name}`,
    remove: 'Retirer',
    removeOf: (name) => `Retirer ${name}`,
    removeText: (name) => `${name} ne permettra plus de te connecter ici.`,
  },
  files: {
    title: 'Fichiers de cette application',
    text: 'Ce navigateur peut garder les fichiers de cette application et te demander avant d’en prendre d’autres sur le serveur. Compare leur empreinte avec celle d’une version publiée.',
    pin: 'Refuser les fichiers modifiés',
    kept: ({ version, date }) => `Version ${version}, gardée depuis le ${date}`,
    hash: 'Empreinte de tes fichiers',
    limits:
      'Cela détecte les fichiers modifiés par erreur ou par un tiers. L’opérateur du serveur peut le contourner : les navigateurs remplacent sans demander la partie qui vérifie les fichiers.',
    noWorker: 'Ce navigateur ne peut pas garder les fichiers de cette page.',
    question: 'Le serveur a d’autres fichiers',
    questionText: ({ version, next }) =>
      `Tu utilises la version ${version}. Le serveur annonce la version ${next} pour ses fichiers. Ne les prends que si leur empreinte est celle de la version publiée.`,
    next: 'Empreinte des nouveaux fichiers',
    take: 'Prendre les nouveaux fichiers',
    keep: 'Garder mes fichiers',
    problems: {
      mismatch: 'Un fichier du serveur n’est pas celui que sa liste indique. Tes fichiers restent tels quels.',
      incomplete: 'Certains fichiers n’ont pas pu être chargés. Tes fichiers restent tels quels.',
    },
    refused: 'Le serveur a envoyé un fichier modifié de cette application. Il a été refusé.',
    unlisted:
      'Le serveur a modifié la partie de cette application qui vérifie ses fichiers, mais sa liste n’a pas changé. Compare les fichiers avec la version publiée avant de recharger cette page.',
  },
} satisfies typeof securityWords
