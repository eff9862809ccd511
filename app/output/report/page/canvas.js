// A canvas that fills its place, draws once a frame when something changed, and knows the colours of the theme.
function canvasView(label, height, draw) {
  const canvas = make('canvas', {tabindex: 0, role: 'application', 'aria-label': label});
  const paint = canvas.getContext('2d', {alpha: false});
  const view = {canvas, width: 0, height, colours: {}, redraw, resize, frames: 0, drawTime: 0};
  let waiting = 0;
  function redraw() { if (!waiting) waiting = requestAnimationFrame(drawNow); }
  function drawNow() {
    cancelAnimationFrame(waiting);
    waiting = 0;
    const before = performance.now();
    paint.setTransform(view.scale, 0, 0, view.scale, 0, 0);
    paint.font = '11px system-ui, "DejaVu Sans", sans-serif';
    paint.textBaseline = 'middle';
    draw(paint, view);
    view.frames++;
    view.drawTime += performance.now() - before;
  }
  function resize() {
    view.scale = window.devicePixelRatio || 1;
    view.width = Math.max(canvas.parentElement.clientWidth, 100);
    canvas.style.height = view.height + 'px';
    canvas.width = Math.round(view.width * view.scale);
    canvas.height = Math.round(view.height * view.scale);
    const style = getComputedStyle(document.documentElement);
    for (const name of ['page', 'ink', 'faint', 'line', 'soft', 'k0', 'k1', 'k2', 'k3', 'slower', 'faster', 'same', 'mark']) {
      view.colours[name] = style.getPropertyValue('--' + name).trim();
    }
    // A canvas of another size is black until it is drawn: a frame later that would be seen as a flash.
    if (view.frames) drawNow(); else redraw();
  }
  new ResizeObserver(() => { if (canvas.parentElement) resize(); }).observe(canvas);
  document.addEventListener('theme', resize);
  links.listen(redraw);
  return view;
}

// Black or white letters, whichever can be read on a colour ("#0072b2").
function inkOn(colour) {
  const light = [1, 3, 5].map(at => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  const luminance = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2];
  return luminance > 0.179 ? '#000000' : '#ffffff';
}

// Text within a width, cut with an ellipsis; nothing where hardly a letter fits. Widths are guessed from one
// measurement: measuring each label costs more than drawing it.
function label(paint, text, x, y, width) {
  const letter = 6.1, fits = Math.floor(width / letter);
  if (fits < 3) return;
  paint.fillText(text.length <= fits ? text : text.slice(0, fits - 1) + '…', x, y, width);
}
