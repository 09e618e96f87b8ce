import ICAL from 'ical.js'

/** A date of an event, for a calendar. */
export interface CalendarDate {
  event_id: number
  n: number
  starts_at: string
  ends_at: string
  title: string
  description: string
  /** A name, a text or an address; null if the reader may not know. */
  place: string | null
  place_url: string | null
  sequence: number
  is_cancelled: boolean
  updated_at: string
}

const timeOf = (iso: string) => ICAL.Time.fromJSDate(new Date(iso), true)

/**
 * A calendar of RFC 5545. Each date is an event of its own in UTC: no reader has to know the rules of time zones, and a
 * date that is moved or cancelled keeps its UID.
 * @param host names the installation in UIDs
 */
export function calendarOf(name: string, host: string, dates: CalendarDate[]): string {
  const calendar = new ICAL.Component('vcalendar')
  calendar.addPropertyWithValue('version', '2.0')
  calendar.addPropertyWithValue('prodid', '-//Parley//Events//EN')
  calendar.addPropertyWithValue('x-wr-calname', name)
  for (const date of dates) {
    const event = new ICAL.Component('vevent')
    const properties = {
      uid: `event-${date.event_id}-${date.n}@${host}`,
      dtstamp: timeOf(date.updated_at),
      'last-modified': timeOf(date.updated_at),
      dtstart: timeOf(date.starts_at),
      dtend: timeOf(date.ends_at),
      summary: date.title,
      ...(date.description === '' ? {} : { description: date.description }),
      ...(date.place === null ? {} : { location: date.place }),
      ...(date.place_url === null ? {} : { url: date.place_url }),
      sequence: date.sequence,
      status: date.is_cancelled ? 'CANCELLED' : 'CONFIRMED',
    }
    for (const [key, value] of Object.entries(properties)) event.addPropertyWithValue(key, value)
    calendar.addSubcomponent(event)
  }
  return `${calendar.toString()}\r\n`
}
