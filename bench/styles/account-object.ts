// An account as an object with a method that changes it.
import { flip, Gaussian, gaussian, Infer, observe } from 'waymark';

const open = (start: number) => {
  const account = {
    balance: start,
    fees: 0,
    pay(amount: number) {
      account.balance -= amount;
      if (account.balance < 0) account.fees += 5;
    },
  };
  return account;
};
const model = () => {
  const account = open(20);
  for (let day = 0; day < 12; day++) {
    if (flip(0.6)) account.pay(gaussian(4, 1));
    else account.balance += 3;
  }
  observe(Gaussian({ mu: account.balance, sigma: 4 }), 10);
  return account.fees;
};
export default Infer({ method: 'importance', samples: 2000, model });
