/** Text that comes in pieces, as bytes. A piece may end inside a surrogate pair: its half waits for the other. */
export function bytesOfPieces(onBytes: (bytes: Uint8Array) => void): {
  write: (piece: string) => void;
  end: () => void;
} {
  let half = "";
  const send = (text: string) => {
    if (text !== "") onBytes(encoder.encode(text));
  };
  return {
    write(piece) {
      const text = half + piece;
      const last = text.charCodeAt(text.length - 1);
      const isHalf = last >= 0xd800 && last <= 0xdbff;
      half = isHalf ? text.slice(-1) : "";
      send(isHalf ? text.slice(0, -1) : text);
    },
    end() {
      send(half);
      half = "";
    },
  };
}

const encoder = new TextEncoder();
