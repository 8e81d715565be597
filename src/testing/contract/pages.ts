import { Endpoint } from '../../endpoint/Endpoint.ts'
import { Collection } from '../../kinds/Collection.ts'
import { showTitle, Todo, type Use } from './Adapter.ts'

/** Pages that a server renders. It may run in modules of its own, so that endpoints are made where they are used. */
export const PAGES = {
  reads(): { readonly uses: readonly Use[]; readonly calls: string[] } {
    const calls: string[] = []
    const get = new Endpoint(
      async ({ id }: { id: string }) => {
        calls.push(id)
        await Promise.resolve()
        return { id, title: `</script>${id}` }
      },
      { name: 'get', schema: Todo } as never,
    )
    const list = new Endpoint(
      async () => {
        calls.push('list')
        await Promise.resolve()
        return [{ id: '4', title: '</script>4' }]
      },
      { name: 'list', schema: new Collection([Todo]) } as never,
    )
    const polled = get.extend({ pollFrequency: 60_000 } as never)
    return {
      calls,
      uses: [
        { kind: 'suspense', of: get, args: [{ id: '1' }], show: ({ data }) => data.title },
        { kind: 'data', of: get, args: [{ id: '2' }], show: showTitle },
        { kind: 'query', of: Todo, args: [{ id: '1' }], show: ({ data }) => data?.title },
        {
          kind: 'all',
          of: get,
          args: [[{ id: '2' }, { id: '3' }]],
          show: ({ states }) => states.map(showTitle).join(),
        },
        {
          kind: 'infinite',
          of: list,
          args: [],
          show: ({ items }) => items?.map(({ title }: Todo) => title) ?? 'loading',
        },
        { kind: 'live', of: polled, args: [{ id: '5' }], show: ({ data }) => data?.title ?? 'loading' },
      ],
    }
  },
}
