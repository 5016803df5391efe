// Shows a line of a source text and marks it.
import * as vscode from "vscode";

export class SourceMark implements vscode.Disposable {
  private readonly decoration = vscode.window.createTextEditorDecorationType({
    isWholeLine: true,
    backgroundColor: new vscode.ThemeColor("editor.findMatchHighlightBackground"),
    overviewRulerColor: new vscode.ThemeColor("editorOverviewRuler.findMatchForeground"),
    overviewRulerLane: vscode.OverviewRulerLane.Center,
  });

  /** Lines count from 0. */
  async show(uri: vscode.Uri, line: number): Promise<void> {
    const document = await vscode.workspace.openTextDocument(uri);
    const open = vscode.window.visibleTextEditors.find((editor) => editor.document.uri.toString() === uri.toString());
    const column = open?.viewColumn ?? vscode.ViewColumn.One;
    const editor = await vscode.window.showTextDocument(document, { viewColumn: column, preserveFocus: true });
    const range = new vscode.Range(line, 0, line, 0);
    editor.revealRange(range, vscode.TextEditorRevealType.InCenterIfOutsideViewport);
    editor.setDecorations(this.decoration, [range]);
  }

  dispose(): void {
    this.decoration.dispose();
  }
}
