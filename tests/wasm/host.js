// Runs the program in a browser or in node, and returns what it prints. `bytes` is the module.
async function outputOf(bytes) {
  const decoder = new TextDecoder();
  let output = "";
  const host = {
    now: () => performance.now(),
    random: () => crypto.getRandomValues(new Uint32Array(1))[0],
    write: (start, length) => {
      output += decoder.decode(new Uint8Array(exports.memory.buffer, start, length));
    },
  };
  const { exports } = (await WebAssembly.instantiate(bytes, { host })).instance;
  try {
    exports.run();
  } catch (error) {
    throw new Error(`${output}${error}`);
  }
  return output;
}
