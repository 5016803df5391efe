// Files of the directory and examples, found by typing.
import { useState } from "preact/hooks";
import { Icon } from "../ui/icon";
import type { FileEntry, GalleryEntry } from "../protocol";
import type { Store } from "../store";
import { Grip } from "./grip";
import { NewFile } from "./new-file";

const GROUPS: { group: GalleryEntry["group"]; title: string }[] = [
  { group: "protocols", title: "Protocols" },
  { group: "language", title: "Language" },
  { group: "papers", title: "From papers" },
];

/** Does every word of a search occur in a text? */
export function matches(search: string, ...texts: string[]): boolean {
  const text = texts.join(" ").toLowerCase();
  return search.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

export function Side({ store }: { store: Store }) {
  const [search, setSearch] = useState("");
  const files = store.files.value.filter((file) => matches(search, file.path));
  const examples = store.gallery.value.filter((entry) => matches(search, entry.name, entry.title, entry.about, entry.language));
  const isSearching = search.trim() !== "";
  return (
    <nav class="side" aria-label="Files and examples">
      <Grip name="side" label="Width of the list of files" least={150} most={480} />
      <div class="find">
        <input type="search" aria-label="Find a file or an example" placeholder="Find a file or an example" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
      </div>
      <div class="lists">
        {(files.length > 0 || !isSearching) && <Group title="Files" count={files.length} isSearching={isSearching} more={<NewFile store={store} />}>
          <FileList files={files} store={store} />
        </Group>}
        {GROUPS.map(({ group, title }) => {
          const entries = examples.filter((entry) => entry.group === group);
          if (entries.length === 0) return null;
          return (
            <Group key={group} title={title} count={entries.length} isSearching={isSearching}>
              <ul>{entries.map((entry) => <li key={entry.name}><Example entry={entry} store={store} /></li>)}</ul>
            </Group>
          );
        })}
        {isSearching && files.length + examples.length === 0 && <p class="empty">Nothing is called so.</p>}
      </div>
    </nav>
  );
}

interface GroupProps { title: string; count: number; isSearching: boolean; more?: preact.ComponentChildren; children: preact.ComponentChildren }

function Group({ title, count, isSearching, more, children }: GroupProps) {
  const name = `servanda.fold.${title}`;
  const [isFolded, setFolded] = useState(localStorage.getItem(name) === "yes");
  const isShown = isSearching || !isFolded;
  const toggle = (): void => {
    localStorage.setItem(name, isFolded ? "no" : "yes");
    setFolded(!isFolded);
  };
  return (
    <section>
      <div class="group-head">
        <h2><button type="button" class="toggle" aria-expanded={isShown} onClick={toggle}><Icon name={isShown ? "unfolded" : "folded"} />{title} <span class="soft">{count}</span></button></h2>
        {more}
      </div>
      {isShown && children}
    </section>
  );
}

function FileList({ files, store }: { files: FileEntry[]; store: Store }) {
  if (files.length === 0) return <p class="empty">None here yet: make a new file, or open an example and save it.</p>;
  const folders = new Map<string, FileEntry[]>();
  for (const file of files) {
    const folder = file.path.slice(0, file.path.lastIndexOf("/") + 1);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  const open = (path: string): void => {
    void store.openFile(path);
    store.view.value = "source";
  };
  return (
    <>
      {[...folders].sort(([a], [b]) => (a < b ? -1 : 1)).map(([folder, list]) => (
        <ul key={folder} aria-label={folder || "Files"}>
          {folder && <li class="folder">{folder}</li>}
          {list.map((file) => {
            const document = store.documents.value.find((each) => each.key === `file:${file.path}`);
            return (
              <li key={file.path}>
                <button type="button" class="entry" aria-current={store.activeKey.value === `file:${file.path}` ? "true" : undefined} onClick={() => open(file.path)}>
                  <span class="name">{document?.isChanged.value && <span class="warn" title="not saved">●<span class="visually-hidden"> not saved</span></span>}{file.path.slice(folder.length)}<span class="lang">{file.language === "other" ? "" : file.language}</span></span>
                </button>
              </li>
            );
          })}
        </ul>
      ))}
    </>
  );
}

function Example({ entry, store }: { entry: GalleryEntry; store: Store }) {
  const open = (): void => {
    void store.openExample(entry.name);
    store.view.value = "source";
  };
  return (
    <button type="button" class="entry" aria-current={store.activeKey.value === `example:${entry.name}` ? "true" : undefined} onClick={open}>
      <span class="name">{entry.title}<span class="lang">{entry.language}</span></span>
      <span class="about">{entry.about}</span>
    </button>
  );
}
