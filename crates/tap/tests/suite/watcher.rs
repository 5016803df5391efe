//! An observer that remembers what it saw and objects to what it is told to.

use std::sync::{Arc, Mutex};

use servanda_tap::{Answer, Observer, Refusal};
use tokio::sync::oneshot;

/// Objects to records that have this text in them.
pub(crate) struct Watcher {
    pub(crate) seen: Mutex<Vec<String>>,
    objects_to: &'static str,
}

impl Watcher {
    pub(crate) fn new(objects_to: &'static str) -> Arc<Self> {
        Arc::new(Watcher { seen: Mutex::new(Vec::new()), objects_to })
    }

    fn see(&self, record: &[u8]) -> String {
        let text = String::from_utf8(record.to_vec()).unwrap();
        assert!(!text.ends_with('\n'));
        self.seen.lock().unwrap().push(text.clone());
        text
    }
}

impl Observer for Watcher {
    fn passed(&self, record: &[u8]) {
        self.see(record);
    }

    fn may_pass(&self, record: &[u8]) -> Answer {
        let (answer, wait) = oneshot::channel();
        let refusal = || Refusal { code: "not-possible".into(), message: "nobody may say this".into() };
        let is_fine = !self.see(record).contains(self.objects_to);
        answer.send(is_fine.then_some(()).ok_or_else(refusal)).unwrap();
        wait
    }
}
