// `node build.mjs` bundles the extension and the scripts of its panels into dist/; `node build.mjs test` bundles the tests into out/.
import { build } from "esbuild";
import { cpSync, readdirSync } from "node:fs";
import { writeLicenses } from "../../web/licenses.mjs";

const common = { bundle: true, target: "es2022", logLevel: "warning", legalComments: "none" };
if (process.argv[2] === "test") {
  await build({
    ...common,
    entryPoints: readdirSync("test").filter((name) => name.endsWith(".test.ts")).map((name) => `test/${name}`),
    outdir: "out",
    platform: "node",
    format: "cjs",
    outExtension: { ".js": ".cjs" },
    alias: { vscode: "./test/mock/vscode.ts", "vscode-languageclient/node": "./test/mock/languageclient.ts" },
    external: ["vscode-oniguruma", "vscode-textmate", "esbuild", "linkedom"],
    sourcemap: "inline",
  });
} else {
  const { metafile } = await build({
    ...common,
    metafile: true,
    entryPoints: ["src/extension.ts"],
    outdir: "dist",
    platform: "node",
    format: "cjs",
    external: ["vscode"],
    minify: true,
  });
  writeLicenses(metafile, "dist/NOTICES.txt");
  // The pages that findings link to, and what those link to.
  cpSync("../../docs", "dist/docs", { recursive: true, filter: (path) => !/\.[a-z]+$/.test(path) || path.endsWith(".md") });
  await build({
    ...common,
    entryPoints: ["src/webview/chart.ts", "src/webview/simulator.ts"],
    outdir: "dist/webview",
    platform: "browser",
    format: "iife",
    minify: true,
  });
}
