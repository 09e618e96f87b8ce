import type { firstWords } from '../first-steps.ts'
import { digits } from '../plural.ts'
import { count } from './plural.ts'

export default {
  templates: {
    friends: {
      title: 'Freunde und Familie',
      text: 'Ein paar Leute, Pläne, Bilder und ein Raum zum Reden.',
      example: 'Das Haus am See',
      channels: [
        ['text', 'pläne', 'Was wir als Nächstes machen und wann'],
        ['text', 'bilder', 'Schick die guten'],
        ['voice', 'Wohnzimmer', ''],
      ],
    },
    community: {
      title: 'Verein oder Community',
      text: 'Neuigkeiten für alle, ein Ort zum Hallosagen und Platz für viele Themen.',
      example: 'Vogelfreunde',
      channels: [
        ['text', 'neuigkeiten', 'Was alle wissen sollten'],
        ['text', 'vorstellung', 'Neu hier? Sag Hallo'],
        ['text', 'fragen', 'Frag, was du willst'],
        ['voice', 'Treffpunkt', ''],
      ],
    },
    team: {
      title: 'Team oder Projekt',
      text: 'Arbeitet in Threads, entscheidet schriftlich und trefft euch ohne Link.',
      example: 'Wehrsanierung',
      channels: [
        ['text', 'aufgaben', 'Wer macht was bis wann'],
        ['text', 'entscheidungen', 'Was wir entschieden haben und warum'],
        ['text', 'kaffee', 'Alles außer Arbeit'],
        ['voice', 'Stand-up', ''],
      ],
    },
  },
  register: {
    title: 'Erstelle dein Konto',
    closed: 'Dieser Server nimmt keine neuen Konten an.',
    invited: (server) => `Danach trittst du ${server} bei.`,
    name: 'Wie sollen andere dich nennen?',
    nameHint: 'Alle sehen das. Du kannst es jederzeit ändern.',
    usernameHint: 'Damit meldest du dich an. Sonst sieht ihn niemand.',
    nameNotKept:
      'Dein Konto ist bereit. Dein Name konnte nicht gespeichert werden: Wähle ihn in den Einstellungen ' +
      'noch einmal.',
  },
  home: {
    title: (name) => `Willkommen, ${name}`,
    text: 'Unterhaltungen finden auf Servern und unter Freunden statt. Womit möchtest du anfangen?',
    make: 'Server erstellen',
    makeText: 'Ein eigener Ort für Leute, die du aussuchst.',
    join: 'Mit einer Einladung beitreten',
    joinText: 'Hat dir jemand einen Link geschickt? Füge ihn hier ein.',
    link: 'Einladungslink oder Code',
    open: 'Einladung öffnen',
    find: 'Freunde finden',
    findText: 'Frag nach dem Benutzernamen oder suche nach dem angezeigten Namen.',
  },
  setup: {
    steps: {
      name: 'Name',
      picture: 'Bild',
      channels: 'Kanäle',
      invite: 'Einladen',
    },
    progress: 'Schritte',
    whom: 'Für wen ist er?',
    next: 'Weiter',
    skip: 'Erst einmal überspringen',
    pictureTitle: 'Gib ihm ein Gesicht',
    pictureText: 'Ein Bild findet man schneller als einen Namen. PNG, JPEG, WebP, GIF oder AVIF.',
    channelsTitle: 'Worüber werdet ihr reden?',
    channelsText: 'Kanäle halten Themen auseinander. Wähle einige für den Anfang; du kannst sie jederzeit ändern.',
    general: 'Gibt es schon, für alles',
    readOnly: (topic) => `${topic}. Alle lesen, nur die Moderation schreibt`,
    another: 'Noch ein Kanal',
    add: 'Hinzufügen',
    make: (n) => (n === 0 ? 'Weiter' : count(n, '# Kanal erstellen', '# Kanäle erstellen')),
    inviteTitle: 'Hol die ersten Leute dazu',
    inviteText: 'Wer diesen Link öffnet, kann beitreten. Er gilt eine Woche.',
    share: 'Teilen …',
    open: (name) => `${name} öffnen`,
  },
  invite: {
    from: 'lädt dich ein:',
    without: 'Du bist eingeladen:',
    online: (n) => `${digits(n)} online`,
    until: (time) => `Diese Einladung gilt bis ${time}.`,
    isMember: 'Du bist schon Mitglied.',
    over: 'Diese Einladung ist vorbei',
    overText:
      'Sie ist abgelaufen, aufgebraucht oder zurückgenommen. Bitte die Person, die sie geschickt hat, um ' +
      'eine neue.',
    unknown: 'Diese Einladung gibt es nicht',
    unknownText: 'Vielleicht fehlt ein Buchstabe: Öffne den ganzen Link so, wie er dir geschickt wurde.',
    banned: 'Du kannst diesem Server nicht beitreten',
    bannedText: 'Jemand, der ihn leitet, hat dich gebannt.',
  },
} satisfies typeof firstWords
