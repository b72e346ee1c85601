// Waits for a scanner that never answers. Whoever starts it needs a deadline.
console.log("waiting for the scanner");
setInterval(() => {}, 1000);
