// The drawing as a file.
import { download } from "../export";
import { Icon } from "../../ui/icon";
import { coloursOf } from "./colours";
import { allLines, draw, type Highlight } from "./draw";
import type { Scene } from "./scene";
import { svg } from "./svg";
import { fit } from "./view";

/** Browsers refuse larger pictures. */
const LARGEST = 8000;

export function Exports({ scene, highlight, name }: { scene: Scene; highlight: Highlight; name: string }) {
  const base = `${name.replace(/^.*\//, "").replace(/\.[a-z]+$/, "")}-graph`;
  const asSvg = (): void => download(new Blob([svg(scene, coloursOf(document.body), highlight, `State graph of ${name}`)], { type: "image/svg+xml" }), `${base}.svg`);
  const asPng = (): void => {
    const [width, height] = [scene.box.right - scene.box.left, scene.box.bottom - scene.box.top];
    const ratio = Math.min(2, LARGEST / width, LARGEST / height);
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(width * ratio);
    canvas.height = Math.ceil(height * ratio);
    const context = canvas.getContext("2d");
    if (!context) return;
    draw(context, scene, allLines(scene), { ...fit(scene.box, { width, height }), scale: 1 }, { width, height }, ratio, coloursOf(document.body), highlight);
    canvas.toBlob((blob) => blob && download(blob, `${base}.png`), "image/png");
  };
  return (
    <>
      <button type="button" class="button small" onClick={asSvg}><Icon name="download" /> SVG</button>
      <button type="button" class="button small" onClick={asPng}><Icon name="download" /> PNG</button>
    </>
  );
}
