/** A result as a picture to be sent on: how it went, and nothing of the cards. */
export interface Poster {
  title: string;
  signs: ("better" | "par" | "worse")[];
  score: string;
  par: string;
  address: string;
}

const SIDE = 1080;
const FONT = "system-ui, 'Noto Sans Devanagari', 'Noto Sans Gujarati', sans-serif";
const INK = "#fdf6e3";
const TONES = { better: "#f1bd4b", par: INK, worse: "#a9d0f5" };

export async function paint({ title, signs, score, par, address }: Poster): Promise<Blob> {
  const canvas = Object.assign(document.createElement("canvas"), { width: SIDE, height: SIDE });
  const pen = canvas.getContext("2d");
  if (!pen) throw new Error("this browser draws no pictures");
  const felt = pen.createRadialGradient(SIDE / 2, SIDE / 2, 100, SIDE / 2, SIDE / 2, SIDE * 0.75);
  felt.addColorStop(0, "#17705a");
  felt.addColorStop(1, "#0a3d31");
  pen.fillStyle = felt;
  pen.fillRect(0, 0, SIDE, SIDE);
  const write = (text: string, y: number, size: number, weight = 600) => {
    pen.font = `${weight} ${size}px ${FONT}`;
    pen.fillText(text, SIDE / 2, y, SIDE - 120);
  };
  pen.textAlign = "center";
  pen.fillStyle = INK;
  write("Do Dooni", 170, 110, 800);
  write(title, 260, 52);
  const step = Math.min(190, (SIDE - 160) / Math.max(signs.length, 1));
  for (const [index, sign] of signs.entries()) {
    pen.fillStyle = TONES[sign];
    shape(pen, sign, SIDE / 2 + (index - (signs.length - 1) / 2) * step, 450, step * 0.32);
  }
  pen.fillStyle = INK;
  write(score, 760, 230, 800);
  write(par, 860, 56);
  write(address, 1000, 46);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("no picture came of it"))), "image/png");
  });
}

function shape(pen: CanvasRenderingContext2D, sign: Poster["signs"][number], x: number, y: number, radius: number): void {
  pen.beginPath();
  if (sign === "par") {
    pen.arc(x, y, radius * 0.8, 0, 2 * Math.PI);
  } else {
    const up = sign === "better" ? -1 : 1;
    pen.moveTo(x, y + up * radius);
    pen.lineTo(x - radius, y - up * radius * 0.8);
    pen.lineTo(x + radius, y - up * radius * 0.8);
    pen.closePath();
  }
  pen.fill();
}
