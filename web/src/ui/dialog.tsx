// A dialog: the browser keeps the focus in it, closes it on Escape and gives the focus back.
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";

interface DialogProps { title: string; isWide?: boolean; onClose: () => void; children: ComponentChildren }

export function Dialog({ title, isWide, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = element.current;
    const before = document.activeElement;
    dialog?.showModal();
    // What has the focus may be at its end; it is read from its beginning.
    if (dialog) dialog.scrollTop = 0;
    return () => {
      dialog?.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog ref={element} class={isWide ? "dialog wide" : "dialog"} aria-labelledby={id} onCancel={(event) => { event.preventDefault(); onClose(); }}>
      <div class="inside">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
    </dialog>
  );
}
