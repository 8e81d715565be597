import { useState } from 'react'
import useSWR, { SWRConfig, useSWRConfig } from 'swr'
import useSWRMutation from 'swr/mutation'
import { get, getOne, rename } from './api'

function Folder({ folder, sort, onOpen }) {
  const { data: files, isLoading } = useSWR(['/files', { folder, sort }], get)
  if (isLoading) return <p>Loading folder…</p>
  return (
    <ul aria-label="Files">
      {files?.map((file) => (
        <li key={file.id}>
          <button onClick={() => onOpen(file.id)}>{file.name}</button> {file.size} bytes
        </li>
      ))}
    </ul>
  )
}

function Usage() {
  const { data, error } = useSWR('/usage', getOne, { refreshInterval: 60000, revalidateOnFocus: false })
  if (error) return <p>unknown</p>
  return <p>{data ? `${data.used} of ${data.total}` : '…'}</p>
}

function Preview({ id }) {
  const { data: file } = useSWR(`/files/${id}`, getOne)
  return file ? <Editor key={id} id={id} file={file} /> : <p>Loading file…</p>
}

function Editor({ id, file }) {
  const [name, setName] = useState(file.name)
  const { mutate } = useSWRConfig()
  const save = useSWRMutation(`/files/${id}`, rename)
  return (
    <section aria-label="Preview">
      <h2>{file.name}</h2>
      <input aria-label="File name" value={name} onChange={(event) => setName(event.target.value)} />
      <button
        disabled={save.isMutating}
        onClick={async () => {
          await save.trigger({ ...file, name })
          await mutate((key) => Array.isArray(key) && key[0] === '/files')
        }}
      >
        Save
      </button>
    </section>
  )
}

function Files() {
  const [folder, setFolder] = useState('home')
  const [sort, setSort] = useState('name')
  const [open, setOpen] = useState(null)
  return (
    <>
      <button onClick={() => setFolder('work')}>Work</button>
      <button onClick={() => setSort('size')}>By size</button>
      <Usage />
      <Folder folder={folder} sort={sort} onOpen={setOpen} />
      {open && <Preview id={open} />}
    </>
  )
}

export function App() {
  return (
    <SWRConfig value={{ provider: () => new Map() }}>
      <Files />
    </SWRConfig>
  )
}
