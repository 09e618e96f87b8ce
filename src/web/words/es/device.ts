import type { deviceWords } from '../device.ts'
import { count } from './plural.ts'

export default {
  share: {
    title: 'Compartir',
    text: 'Mensaje',
    send: 'Compartir',
    leftOut: (n) =>
      count(
        n,
        '# archivo más es demasiado para compartir de una vez.',
        '# de archivos más son demasiados para compartir de una vez.',
        '# archivos más son demasiados para compartir de una vez.',
      ),
  },
  notices: {
    tab: 'Notificaciones',
    here: 'En este dispositivo',
    push: 'Notificaciones con Parley cerrado',
    pushText:
      'Llegan por el servicio push del fabricante de este navegador, cifradas para que solo este ' +
      'dispositivo pueda leerlas.',
    none:
      'Este navegador no tiene notificaciones push aquí. Necesitan HTTPS y, en un iPhone o iPad, Parley ' +
      'en la pantalla de inicio.',
    denied: 'El navegador bloquea las notificaciones de esta página. Permítelas en sus ajustes para este sitio.',
    off: 'Este servidor no envía notificaciones push.',
    needHttps: 'Las notificaciones de escritorio necesitan HTTPS.',
    desktop: 'Notificaciones de escritorio con Parley abierto',
    sound: 'Un sonido para los mensajes que no ves',
    everywhere: 'En todos tus dispositivos',
    hide: 'Ocultar nombres y texto',
    hideText: 'Las notificaciones solo dicen entonces que hay algo nuevo.',
    quiet: 'No molestar',
    quietText: (zone) => `Cada día entre estas horas (${zone}). Las llamadas no suenan entonces por push.`,
    from: 'Desde',
    until: 'Hasta',
  },
} satisfies typeof deviceWords
