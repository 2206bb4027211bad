// A WebTransport with the interface of a WebSocket, for `Client` of client.mjs: see PROTOCOL.md. A certificate that the
// browser does not trust is named by its digest: `https://localhost:8080/wt#sha256=e3:4e:…`.

export class WebTransportSocket {
  #transport; #writer; #reason = { code: 1006, reason: "" };
  constructor(url) {
    const [address, digest] = url.split("#sha256=");
    const value = Uint8Array.from(digest?.split(":") ?? [], (it) => parseInt(it, 16));
    this.#transport = new WebTransport(address, digest ? { serverCertificateHashes: [{ algorithm: "sha-256", value }] } : {});
    this.#run().catch((error) => this.#reason.reason ||= String(error)).finally(() => {
      this.close();
      this.onclose?.(this.#reason);
    });
  }
  async #run() {
    await this.#transport.ready;
    const { readable, writable } = await this.#transport.createBidirectionalStream();
    this.#writer = writable.getWriter();
    this.#call(() => this.onopen?.());
    this.#hearDatagrams().catch(() => {}).finally(() => this.close());
    await this.#hearStream(readable.getReader());
  }
  #call(handler) { try { handler(); } catch (error) { reportError(error); } } // as a WebSocket does
  #tell(data) { this.#call(() => this.onmessage?.({ data })); }
  async #hearDatagrams() {
    const reader = this.#transport.datagrams.readable.getReader();
    for (let it; !(it = await reader.read()).done;) this.#tell(it.value.slice().buffer);
  }
  async #hearStream(reader) {
    let chunks = [], length = 0, needed = 4; // of the next message
    for (let it; !(it = await reader.read()).done;) {
      chunks.push(it.value);
      length += it.value.length;
      if (length < needed) continue;
      let at = 0;
      const bytes = new Uint8Array(length), view = new DataView(bytes.buffer);
      for (const chunk of chunks) { bytes.set(chunk, at); at += chunk.length; }
      at = 0;
      for (needed = 4; length - at >= needed; needed = 4) {
        needed += view.getUint32(at, true);
        if (length - at < needed) break;
        const message = bytes.slice(at + 4, at += needed);
        if (!message.length) this.send(message); // the gateway asks whether this end is there
        else if (message[0] !== 123) this.#tell(message.buffer);
        else if (!this.#isClosed(message)) this.#tell(new TextDecoder().decode(message));
      }
      [chunks, length] = [[bytes.subarray(at)], length - at];
    }
  }
  #isClosed(message) {
    const { type, code, reason } = JSON.parse(new TextDecoder().decode(message));
    if (type !== "closed") return false;
    this.#reason = { code, reason };
    this.close();
    return true;
  }
  /** Sends a text or bytes. */
  send(message) {
    const bytes = typeof message === "string" ? new TextEncoder().encode(message) : new Uint8Array(message);
    const frame = new Uint8Array(4 + bytes.length);
    new DataView(frame.buffer).setUint32(0, bytes.length, true);
    frame.set(bytes, 4);
    this.#writer.write(frame).catch(() => {}); // it is closed, which `onclose` says
  }
  close() { try { this.#transport.close(); } catch { /* it is closed */ } }
}
