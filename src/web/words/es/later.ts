// Printed from locales/es/later.json. After a change there: bun run words
import type { laterWords } from '../later.ts'

export default {
  at: 'En otro momento',
  saved: {
    title: 'Guardados',
    none: 'Aún no hay nada guardado',
    noneText: 'Elige «Guardar mensaje» en el menú de un mensaje. Solo tú ves lo que guardas.',
    note: 'Nota',
    noteText: 'Solo tú la ves.',
    remind: 'Recordármelo',
    set: 'Fijar recordatorio',
    until: (time) => `Recordatorio ${time}`,
    since: (time) => `Recordatorio, pendiente desde ${time}`,
    clear: 'Quitar recordatorio',
    done: 'Hecho',
    edit: 'Nota y recordatorio…',
    remove: 'Quitar de guardados',
  },
  scheduled: {
    title: 'Programados',
    none: 'Nada programado',
    noneText: 'Escribe un mensaje y elige «Enviar más tarde» en lugar de enviarlo.',
    schedule: 'Programar',
    at: (time) => `Se enviará: ${time}`,
    edit: 'Editar…',
    held: 'Tus mensajes programados están retenidos porque se cerraron tus sesiones o se restauró una copia de seguridad. Revísalos y confírmalos.',
    isHeld: 'Retenido hasta que lo confirmes',
    confirm: 'Confirmar todos',
    overdue: 'No enviado: la hora ya había pasado.',
  },
} satisfies typeof laterWords
