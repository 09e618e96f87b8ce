// Printed from locales/es/device.json. After a change there: bun run words
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
        'Se ha omitido # archivo: son demasiados para compartirlos a la vez.',
        'Se han omitido # de archivos: son demasiados para compartirlos a la vez.',
        'Se han omitido # archivos: son demasiados para compartirlos a la vez.',
      ),
  },
  notices: {
    tab: 'Notificaciones',
    here: 'En este dispositivo',
    push: 'Notificaciones con Parley cerrado',
    pushText: 'Llegan por el servicio push de tu navegador, cifradas para que solo este dispositivo pueda leerlas.',
    none: 'Este navegador no puede recibir notificaciones push aquí. Necesitan HTTPS. En un iPhone o iPad, añade antes Parley a la pantalla de inicio.',
    denied:
      'Tu navegador bloquea las notificaciones de este sitio. Permítelas en los ajustes del navegador para este sitio.',
    off: 'Este servidor no envía notificaciones push.',
    needHttps: 'Las notificaciones de escritorio necesitan HTTPS.',
    desktop: 'Notificaciones de escritorio con Parley abierto',
    sound: 'Reproducir un sonido para los mensajes que no están en pantalla',
    everywhere: 'En todos tus dispositivos',
    hide: 'Ocultar nombres y texto',
    hideText: 'Las notificaciones solo dicen que hay algo nuevo.',
    quiet: 'No molestar',
    quietText: (zone) => `Cada día entre estas horas (${zone}). Las notificaciones push de llamadas también se pausan.`,
    from: 'Desde',
    until: 'Hasta',
  },
} satisfies typeof deviceWords
