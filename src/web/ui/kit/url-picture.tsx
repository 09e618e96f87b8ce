import { Picture } from './controls.tsx'

interface UrlPictureProps {
  url: string | null
  id: number
  name: string
  size: number
}

/** A picture whose URL is known, or initials. */
export const UrlPicture = ({ url, id, name, size }: UrlPictureProps) =>
  url ? (
    <img class="picture" src={url} alt="" width={size} height={size} />
  ) : (
    <Picture id={id} name={name} file_id={null} size={size} />
  )
