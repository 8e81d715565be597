import icon from '../../../docs/public/icon.svg'

/** The logo of the library, which the documentation shows, too. */
export function Logo() {
  return <img src={icon} alt="" width={24} height={24} />
}
