// SPDX-FileCopyrightText: The Repose authors
// SPDX-License-Identifier: Apache-2.0
// Browsers start no worker for a page that was opened as a file, so its search runs in a hidden frame instead.
if (location.protocol === "file:") {
  window.Worker = window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super()
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      document.body.append(this.frame)
      const inside = this.frame.contentWindow
      inside.document.open()
      inside.document.write("<body></body>")
      inside.document.close()
      inside.postMessage = data => this.dispatchEvent(new MessageEvent("message", { data }))
      inside.importScripts = (...urls) => Promise.all(urls.map(each => this.load(each)))
      this.loaded = this.load(url)
    }
    load(url) {
      const script = this.frame.contentDocument.createElement("script")
      script.src = url
      const loaded = new Promise((done, failed) => (script.onload = done, script.onerror = failed))
      this.frame.contentDocument.body.append(script)
      return loaded
    }
    postMessage(data) {
      this.loaded.then(() => this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data })))
    }
    terminate() {
      this.frame.remove()
    }
  }
}
