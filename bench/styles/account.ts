// A bank account as an object with methods.
import { flip, Gaussian, Infer, sample } from 'waymark';

const makeAccount = () => {
  const account = { balance: 100, low: 100 };
  return {
    deposit(amount: number): void {
      account.balance += amount;
    },
    withdraw(amount: number): boolean {
      if (amount > account.balance) return false;
      account.balance -= amount;
      account.low = Math.min(account.low, account.balance);
      return true;
    },
    lowest: () => account.low,
  };
};
const model = () => {
  const account = makeAccount();
  let refused = 0;
  for (let month = 0; month < 12; month++) {
    account.deposit(50);
    const amount = sample(Gaussian({ mu: 50, sigma: 25 }));
    if (!account.withdraw(flip(0.1) ? amount * 3 : amount)) refused++;
  }
  return refused + account.lowest() / 1000;
};
export default Infer({ method: 'forward', samples: 2000, model });
