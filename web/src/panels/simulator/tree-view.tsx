// The tree of visited moments: arrow keys and clicks go around in it.
import { useEffect, useRef } from "preact/hooks";
import { describe } from "../../chart/layout";
import { grouped } from "../../ui/words";
import { scrollWithin } from "../scroll";
import { rows, type Row, type Tree } from "./tree";

interface TreeViewProps { tree: Tree; pinned: number | null; loopTo: (node: number) => number | undefined; goTo: (node: number) => void }

/** As deep as branches are drawn; deeper ones say how deep they are by their level alone. */
const DEEPEST = 8;

export function TreeView({ tree, pinned, loopTo, goTo }: TreeViewProps) {
  const list = rows(tree);
  const box = useRef<HTMLDivElement>(null);
  const here = useRef<HTMLDivElement>(null);
  const hadFocus = useRef(false);
  useEffect(() => {
    scrollWithin(box.current, here.current);
    if (hadFocus.current) here.current?.focus({ preventScroll: true });
  }, [tree.current]);
  const onKeyDown = (event: KeyboardEvent): void => {
    const to = target(list, tree.current, event.key);
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    hadFocus.current = true;
    goTo(to);
  };
  return (
    <div ref={box} class="sim-tree" role="tree" aria-label={`Visited moments, ${grouped(list.length)}`} onKeyDown={onKeyDown} onFocusOut={() => (hadFocus.current = false)}>
      {list.map(({ node, depth, isOnPath, branches }) => {
        const isHere = node.node === tree.current;
        const loop = loopTo(node.node);
        return (
          <div
            key={node.node} role="treeitem" aria-level={depth + 1} aria-selected={isHere} tabIndex={isHere ? 0 : -1} ref={isHere ? here : undefined}
            class={`sim-row depth-${Math.min(depth, DEEPEST)}${isHere ? " is-here" : ""}${isOnPath ? " is-on-path" : ""}`} onClick={() => goTo(node.node)}
          >
            <span class="sim-number">{node.node}</span>
            <span class="sim-label">{node.step ? describe(node.step) : node.initial ? "several beginnings" : "beginning"}</span>
            {node.node === pinned && <span class="tag">pinned</span>}
            {node.state.isDeadlock && <span class="tag bad">deadlock</span>}
            {node.state.isFinal && <span class="tag">end</span>}
            {branches > 1 && <span class="tag">{branches} branches</span>}
            {loop !== undefined && <span class="tag">back to {loop}</span>}
          </div>
        );
      })}
    </div>
  );
}

/** Where a key goes from a row: up and down by one, to the ends, to the parent and to what came next. */
export function target(list: Row[], current: number | null, key: string): number | undefined {
  const at = list.findIndex((row) => row.node.node === current);
  const row = list[at];
  switch (key) {
    case "ArrowUp": return list[at - 1]?.node.node;
    case "ArrowDown": return list[at + 1]?.node.node;
    case "Home": return list[0]?.node.node;
    case "End": return list.at(-1)?.node.node;
    case "ArrowLeft": return row?.node.parent;
    case "ArrowRight": return list.find((each) => each.node.parent === row?.node.node)?.node.node;
    default: return undefined;
  }
}
