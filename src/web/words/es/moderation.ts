import type { moderationWords } from '../moderation.ts'

export default {
  reportMessage: 'Denunciar mensaje',
  reportProfile: 'Denunciar perfil',
  reason: 'Motivo',
  note: '¿Qué deberían saber? (opcional)',
  readers: '¿Quién debe leerla?',
  toModerators: (server) => `Los moderadores de ${server}`,
  toOperator: 'Solo el operador de esta instalación',
  readByModerators: (server) =>
    `La leen los moderadores de ${server} que están por encima de este miembro y pueden leer ` +
    'este canal. Ven quién la ha enviado.',
  readByOperator: 'Solo la lee el operador de esta instalación, no los moderadores. Ve quién la ha enviado.',
  kept: 'Reciben el texto, los cinco mensajes anteriores y los archivos tal como están ahora.',
  keptProfile: 'Reciben los nombres y la imagen tal como están ahora.',
  send: 'Enviar denuncia',
  sent: 'Tu denuncia se ha enviado. Gracias.',
  reasons: {
    spam: 'Spam o publicidad',
    harassment: 'Acoso',
    hate: 'Odio contra un grupo',
    violence: 'Violencia o amenazas',
    sexual: 'Contenido sexual no deseado',
    minor_safety: 'Daño a un menor',
    self_harm: 'Autolesión o suicidio',
    illegal: 'Algo ilegal',
    impersonation: 'Se hace pasar por otra persona',
    other: 'Otra cosa',
  },
} satisfies typeof moderationWords
