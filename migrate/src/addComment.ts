import { GUIDE, type Pass } from './Pass.ts'
import type { SourceFile } from './Project.ts'
import type { NodePath } from './syntax.ts'

/** Adds a comment where a person has to decide. It is written once. */
export function addComment(pass: Pass, file: SourceFile, path: NodePath, text: string): void {
  const statement = path.getStatementParent()?.node ?? path.node
  const line = `// restitch-migrate: ${text}. ${GUIDE}`
  if (!file.text.slice(0, statement.start!).trimEnd().endsWith(line)) {
    const indent = /[ \t]*$/.exec(file.text.slice(0, statement.start!))![0]
    pass.output.edit(file, statement.start!, statement.start!, `${line}\n${indent}`)
  }
}
