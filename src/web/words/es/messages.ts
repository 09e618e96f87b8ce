// Printed from locales/es/messages.json. After a change there: bun run words
import type { messageWords } from '../messages.ts'
import { listOf, spanOf } from '../plural.ts'
import { choose, count } from './plural.ts'

export default {
  messages: {
    list: (place) => `Mensajes en ${place}`,
    beginnings: {
      channel: 'Aquí empieza el canal. Di para qué sirve e invita a gente.',
      dm: 'Aquí empieza vuestra conversación. No hay nadie más en ella.',
      group: 'Aquí empieza el grupo. Quienes se añadan después pueden ver todos los mensajes.',
      thread: 'Aquí empieza el hilo. Empiezas a seguirlo cuando escribes en él.',
    },
    one: 'mensaje',
    spoiler: 'Mostrar spoiler',
    copyCode: 'Copiar código',
    codeCopied: 'Código copiado.',
    fromBlocked: 'Un mensaje de alguien a quien has bloqueado.',
    show: 'Mostrar mensaje',
    new: 'Nuevo',
    newAbove: 'Mensajes nuevos arriba',
    toNewest: 'Ir a los mensajes más recientes',
    failed: 'No se han podido cargar estos mensajes.',
    edited: '(editado)',
    imported: 'importado',
    sending: 'enviando…',
    refused: 'No enviado:',
    retry: 'Reintentar',
    withoutReply: 'Enviar sin la respuesta',
    giveUp: 'Eliminar',
    replyTo: 'Respondiendo a',
    gone: 'El mensaje original se eliminó',
    selectThis: 'Seleccionar este mensaje',
    previews: 'Vistas previas de enlaces',
    openPicture: (host) => `Imagen de ${host}`,
    video: 'Vídeo',
    webhook: 'Webhook',
  },
  notices: {
    raid_alert: (n) =>
      `Modo asalto: muchas cuentas entraron a la vez. ${n} están en cuarentena y nadie más puede unirse.`,
    automod_alert: ({ place, who, rule, n }) =>
      place === undefined
        ? `AutoMod: ${who} infringió la regla «${rule}» (${n}×).`
        : `AutoMod: ${who} infringió la regla «${rule}» en ${place} (${n}×).`,
    shortCall: (who) => `${who} empezó una llamada que duró menos de un minuto.`,
    call: ({ who, seconds }) => `${who} empezó una llamada. Duración: ${spanOf(seconds)}.`,
    missed: (who) => `Has perdido una llamada de ${who}.`,
    unanswered: 'Nadie contestó a tu llamada.',
    recipient_added: ({ who, target }) => `${who} añadió a ${target} al grupo.`,
    recipient_removed: ({ who, target }) => `${who} quitó a ${target} del grupo.`,
    left: (who) => `${who} salió del grupo.`,
    renamed: ({ who, name }) => `${who} llamó al grupo ${name}.`,
    unnamed: (who) => `${who} quitó el nombre del grupo.`,
    member_joined: (who) => `${who} se unió al servidor.`,
    pinned: (who) => `${who} fijó un mensaje.`,
    thread_created: ({ who, name }) => `${who} empezó el hilo ${name}.`,
    poll_ended: 'Ha terminado una encuesta.',
  },
  retention: {
    pruned: 'Los mensajes más antiguos se han eliminado.',
    messages: (n) =>
      count(
        n,
        'Los mensajes se eliminan tras # día.',
        'Los mensajes se eliminan tras # de días.',
        'Los mensajes se eliminan tras # días.',
      ),
    files: (n) =>
      count(
        n,
        'Los archivos se eliminan tras # día.',
        'Los archivos se eliminan tras # de días.',
        'Los archivos se eliminan tras # días.',
      ),
  },
  forward: {
    forwarded: 'Reenviado',
    original: 'Ir al original',
  },
  composer: {
    to: (place) => `Mensaje a ${place}`,
    send: 'Enviar',
    later: 'Enviar más tarde',
    poll: 'Crear encuesta',
    record: 'Grabar un mensaje de voz',
    replyMention: (name) => `Mencionar a ${name} en la respuesta`,
    mentionOn: '@ sí',
    mentionOff: '@ no',
    mayNot: 'No tienes permiso para enviar mensajes aquí.',
    timedOut: (time) => `Estás en aislamiento hasta ${time}. Puedes leer, pero no escribir.`,
    blocked: 'Has bloqueado a esta persona. Desbloquéala para escribir.',
  },
  files: {
    add: 'Añadir archivos',
    drop: 'Suelta archivos aquí',
    waiting: 'Este mensaje se enviará cuando se suban sus archivos.',
    open: (name) => `Abrir ${name}`,
    spoiler: 'Spoiler',
    reveal: 'Mostrar archivo con spoiler',
    count: (n) => count(n, '# archivo', '# de archivos', '# archivos'),
    uncover: 'Mostrar esta imagen',
    openDescribed: ({ alt, name }) => `${alt}. Abrir ${name}`,
  },
  direct: {
    list: 'Mensajes directos',
    none: 'Aquí aparecen tus conversaciones con personas y grupos.',
    begin: 'Empezar una conversación',
    cannot: 'Esta persona no acepta mensajes tuyos.',
    hide: (name) => `Ocultar la conversación con ${name}`,
    write: (name) => `Escribir a ${name}`,
    read: 'Leído',
    requests: (n) =>
      n === 0
        ? 'Solicitudes de mensajes'
        : count(n, '# solicitud de mensaje', '# de solicitudes de mensajes', '# solicitudes de mensajes'),
  },
  groups: {
    new: 'Nueva conversación',
    add: 'Añadir personas',
    settings: 'Ajustes del grupo',
    people: (n) => count(n, '# persona', '# de personas', '# personas'),
  },
  typing: ({ names, n }) =>
    choose(
      n,
      `${listOf(names)} está escribiendo…`,
      `${listOf(names)} están escribiendo…`,
      `${listOf(names)} están escribiendo…`,
    ),
  typingMany: 'Varias personas están escribiendo…',
} satisfies typeof messageWords
