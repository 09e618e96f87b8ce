import qrcode from 'qrcode-generator'
import { useMemo } from 'preact/hooks'

/** Light modules that surround a QR code: ISO/IEC 18004 §6.3.8. */
const QUIET_MODULES = 4

/** A text as a QR code. It is dark on light in every theme: cameras read no other. */
export const QrCode = ({ text, label }: { text: string; label: string }) => {
  const { path, size } = useMemo(() => {
    const code = qrcode(0, 'M')
    code.addData(text)
    code.make()
    const modules = code.getModuleCount()
    const rows = Array.from({ length: modules }, (_, row) =>
      Array.from({ length: modules }, (__, column) =>
        code.isDark(row, column) ? `M${column + QUIET_MODULES} ${row + QUIET_MODULES}h1v1h-1z` : '',
      ).join(''),
    )
    return { path: rows.join(''), size: modules + 2 * QUIET_MODULES }
  }, [text])
  return (
    <svg class="qr-code" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path d={path} />
    </svg>
  )
}
