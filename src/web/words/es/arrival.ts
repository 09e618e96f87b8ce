import type { arrivalWords } from '../arrival.ts'

export default {
  tab: 'Nuevos miembros',
  rules: 'Normas',
  rulesHint:
    'Quienes se unan más tarde aceptan estas normas antes de poder escribir. Un cambio muestra un aviso a ' +
    'los miembros y no retiene a nadie.',
  rulesField: 'Normas (Markdown, como máximo 16 líneas)',
  saveRules: 'Guardar normas',
  waiting: 'Ya casi: acepta las normas para participar.',
  changed: 'Las normas de este servidor han cambiado.',
  read: 'Leer las normas',
  rulesOf: (server) => `Normas de ${server}`,
  accept: 'Aceptar las normas',
  goIn: 'Entrar',
  noRules: 'Este servidor no tiene normas. Puedes entrar.',
  readAgain: 'Las normas acaban de cambiar. Léelas otra vez.',
  welcome: '¡Te damos la bienvenida!',
  wave: 'Saludar',
  choices: 'Canales y roles',
  pick: 'Roles que puedes elegir',
  pickHint: 'Puedes cambiar tu elección cuando quieras.',
  nothing: 'Aún no hay nada que elegir',
  nothingText: 'Este servidor no ofrece nada que elegir a sus miembros.',
  mayNotChoose: 'Podrás elegir en cuanto puedas escribir aquí.',
  selfAssignable: 'Los miembros pueden elegir este rol',
  selfAssignableHint:
    'Un rol así no tiene rango, y solo permisos iniciales de todos. Los miembros lo conservan si desactivas esto.',
  opens: '¿Abrir canales a todo el mundo?',
  opensText: (channels) => `Cualquiera puede elegir el rol, así que todos podrán ver: ${channels}`,
  open: 'Abrirlos',
  hidden: 'un canal que no ves',
} satisfies typeof arrivalWords
