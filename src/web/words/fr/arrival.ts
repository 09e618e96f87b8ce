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
} satisfies typeof arrivalWords
