const set = (names: string): readonly string[] => names.trim().split(/\s+/)

export const CURSORS: readonly string[] =
  set(`cursor startingafter after pagetoken nexttoken continue marker pagecursor pageafter pageinfo nextcursor continuationtoken
  startcursor scrollid nextpagetoken exclusivestartkey afterid lastid sinceid startafter bookmark paginationtoken nextmarker cursormark`)
export const NUMBERS: readonly string[] = set('page pagenumber pageno pageindex pagenum currentpage p')
export const OFFSETS: readonly string[] = set('offset skip pageoffset startat startindex start from first')
/** Offsets that may be something else, such as a date, unless they are numbers beside a number of items. */
export const VAGUE: ReadonlySet<string> = new Set(['start', 'from', 'first', 'p', 'after', 'continue'])
/** Parameters that say how many items a page has. */
export const SIZES: readonly string[] =
  set(`limit size perpage pagesize pagelimit maxresults max count top take maxitems maxkeys pagelength
  itemsperpage resultsperpage rows rowsperpage numresults numberofresults pagecount maxpagesize items results`)
/** Cursors that are the key of the last item. */
export const KEYS: ReadonlySet<string> = new Set(['startingafter', 'afterid', 'lastid', 'sinceid', 'startafter'])
export const NEXT: readonly string[] =
  set(`nextcursor next nextpagetoken nexttoken nextpage continue nextmarker endcursor nextoffset cursor marker after
  continuationtoken scrollid nextlink nextpageurl nexturl nexturi nextpageuri nexthref nextstart nextbookmark bookmark nextkey odatanextlink pagetoken
  nextcontinuationtoken lastevaluatedkey nextid nextcursormark paginationtoken`)
export const MORE: readonly string[] = set(
  'hasmore more hasnextpage hasnext hasmorepages hasmoreitems hasmoreresults istruncated truncated moreavailable moreresults next',
)
export const LAST: readonly string[] = set('last islast islastpage lastpage')
export const TOTALS: readonly string[] =
  set(`total totalcount totalitems totalresults totalelements totalsize totalrecords totalentries totalhits totaldocs totalrows
  totalobjects recordcount recordstotal itemcount resultcount totalnumber totalnum numfound numtotal odatacount totalresultscount totalmatches`)
export const PAGES: readonly string[] = set(
  'totalpages pagecount pagestotal numpages totalpagecount lastpage totalpage pages last',
)
export const ECHOES: readonly string[] = set('page currentpage pagenumber pageno pageindex number pagenum')
export const SIZE_ECHOES: readonly string[] = set(
  'perpage pagesize size limit maxresults itemsperpage pagelength pagelimit',
)
