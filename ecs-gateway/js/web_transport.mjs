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
    this.onopen?.();
    this.#hearDatagrams().catch(() => {}); // the stream ends, too
    await this.#hearStream(readable.getReader());
  }
  async #hearDatagrams() {
    const reader = this.#transport.datagrams.readable.getReader();
    for (let it; !(it = await reader.read()).done;) this.onmessage?.({ data: it.value.slice().buffer });
  }
  async #hearStream(reader) {
    let bytes = new Uint8Array(0);
    for (let it; !(it = await reader.read()).done;) {
      const joined = new Uint8Array(bytes.length + it.value.length);
      joined.set(bytes);
      joined.set(it.value, bytes.length);
      bytes = joined;
      while (bytes.length >= 4) {
        const end = 4 + new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
        if (bytes.length < end) break;
        const message = bytes.slice(4, end);
        bytes = bytes.subarray(end);
        if (!message.length) this.send(message); // the gateway asks whether this end is there
        else if (message[0] !== 123) this.onmessage?.({ data: message.buffer });
        else if (!this.#isClosed(message)) this.onmessage?.({ data: new TextDecoder().decode(message) });
      }
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
