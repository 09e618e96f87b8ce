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
} satisfies typeof arrivalWords
