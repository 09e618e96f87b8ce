import type { arrivalWords } from '../arrival.ts'

export default {
  tab: 'Nouveaux membres',
  rules: 'Règles',
  rulesHint:
    'Les personnes qui rejoignent le serveur plus tard acceptent ces règles avant de pouvoir écrire. Une ' +
    'modification affiche un bandeau aux membres et ne bloque personne.',
  rulesField: 'Règles (Markdown, 16 lignes au plus)',
  saveRules: 'Enregistrer les règles',
  waiting: 'Vous y êtes presque : acceptez les règles pour participer.',
  changed: 'Les règles de ce serveur ont changé.',
  read: 'Lire les règles',
  rulesOf: (server) => `Règles de ${server}`,
  accept: 'Accepter les règles',
  goIn: 'Entrer',
  noRules: 'Ce serveur n’a pas de règles. Vous pouvez entrer.',
  readAgain: 'Les règles viennent de changer. Veuillez les relire.',
  welcome: 'Bienvenue !',
  wave: 'Saluer',
  choices: 'Salons et rôles',
  pick: 'Rôles au choix',
  pickHint: 'Vous pouvez changer d’avis à tout moment.',
  nothing: 'Rien à choisir pour l’instant',
  nothingText: 'Ce serveur ne propose aucun choix à ses membres.',
  mayNotChoose: 'Vous pourrez choisir dès que vous pourrez écrire ici.',
  selfAssignable: 'Les membres peuvent prendre ce rôle eux-mêmes',
  selfAssignableHint:
    'Un tel rôle n’a pas de rang et seulement les permissions de départ de tout le monde. Les membres le ' +
    'gardent si vous désactivez ceci.',
  opens: 'Ouvrir des salons à tout le monde ?',
  opensText: (channels) => `Tout le monde peut prendre ce rôle, donc tout le monde pourra voir : ${channels}`,
  open: 'Ouvrir',
  hidden: 'un salon que vous ne voyez pas',
} satisfies typeof arrivalWords
