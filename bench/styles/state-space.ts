// Position and velocity of a cart, noisy measurements; a guide by every step.
import { Gaussian, getParams, Optimize, observe, param, sample } from 'waymark';

const measured = Array.from({ length: 25 }, (_, t) => t * 0.5 + Math.sin(t));
const softplus = (x: number) => Math.log(1 + Math.exp(x));
interface Cart {
  x: number;
  v: number;
  push: (acceleration: number) => Cart;
}
const makeCart = (x = 0, v = 0): Cart => ({ x, v, push: (acceleration: number) => makeCart(x + v, v + acceleration) });
const model = () => {
  let cart = makeCart();
  const track: number[] = [];
  measured.forEach((z, t) => {
    const a = sample(Gaussian({ mu: 0, sigma: 0.3 }), {
      guide: () =>
        Gaussian({ mu: param({ name: `m${t}` }), sigma: softplus(param({ name: `s${t}`, mu: -1, sigma: 0 })) }),
    });
    cart = cart.push(a);
    observe(Gaussian({ mu: cart.x, sigma: 0.5 }), z);
    track.push(cart.x);
  });
  return track[track.length - 1];
};
Optimize({ model, steps: 200, optMethod: { adam: { stepSize: 0.05 } } });
export default Object.keys(getParams()).length;
