/** Programs that give the same whichever way they run; each has a function `model`. */
const DATA = 'var data = [0.3, -1.2, 2.5, 0.7, -0.4, 1.9, 3.1];';

/** A network that is given pictures: enough numbers to be kept on the device. */
const pictures = (shade: string): string => `
  var data = map(function(i) {
    return Vector(map(function(k) { return (7 * k + i * i) % 5 === 0 ? ${shade} : 0; }, _.range(240)));
  }, _.range(7));
  var model = function() {
    var net = affine('net', {in: 240, out: 8, param: modelParam});
    var code = affine('code', {in: 240, out: 8});
    mapData({data: data, batchSize: 5}, function(picture) {
      var z = sample(DiagCovGaussian({mu: zeros([8, 1]), sigma: ones([8, 1])}),
        {guide: DiagCovGaussian({mu: code(picture), sigma: ones([8, 1])})});
      var seen = MultivariateBernoulli({ps: sigmoid(affine('out', {in: 8, out: 240, param: modelParam})(z))});
      observe(seen, T.ceil(picture));
      factor(-T.sumreduce(T.pow(T.sub(net(picture), z), 2)));
    }); };`;

export const PROGRAMS: Readonly<Record<string, string>> = {
  'a shared parameter': `${DATA} var model = function() {
    var m = modelParam({name: 'm'});
    mapData({data: data}, function(y) { observe(Gaussian({mu: m, sigma: 1}), y); }); };`,
  'pathwise choices per datum': `${DATA} var model = function() {
    mapData({data: data}, function(y) {
      var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'a'}) * y, sigma: softplus(param({name: 'b'}))})});
      observe(Gaussian({mu: x, sigma: 0.5}), y); }); };`,
  'discrete choices per datum': `${DATA} var model = function() {
    var ms = [modelParam({name: 'm0', mu: -1}), modelParam({name: 'm1', mu: 2})];
    mapData({data: data}, function(y) {
      var z = sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: Math.sigmoid(param({name: 'w'}) * y)})});
      observe(Gaussian({mu: z ? ms[1] : ms[0], sigma: 1}), y); }); };`,
  'an indexed component': `${DATA} var model = function() {
    var comps = [{mu: modelParam({name: 'm0', mu: -1}), sigma: 1}, {mu: modelParam({name: 'm1', mu: 2}), sigma: softplus(modelParam({name: 's'}))}];
    mapData({data: data}, function(y) {
      var z = sample(Discrete({ps: [0.3, 0.7]}), {guide: Discrete({ps: simplex(Vector([param({name: 'w'}) * y]))})});
      observe(Gaussian(comps[z]), y); }); };`,
  'values that coincide for some data': `${DATA} var model = function() {
    mapData({data: data}, function(y) {
      var k = sample(RandomInteger({n: 3}), {guide: Discrete({ps: simplex(Vector([param({name: 'w'}) * y, 0.1]))})});
      var c = sample(Categorical({vs: [k % 2, k, 7], ps: [0.2, 0.5, 0.3]}));
      observe(Gaussian({mu: c, sigma: 2}), y); }); };`,
  'objects that iterations hand on or make': `${DATA}
    var A = {n: 1}; var objects = [A, {n: 2}, A, {n: 3}];
    var count = function(rs) { return (rs[0] === rs[1]) + 2 * (rs[0] === rs[2]) + 4 * (rs[0] === A) + 8 * rs.indexOf(rs[3]); };
    var model = function() {
      mapData({data: data}, function(y) {
        var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'a'}), sigma: 1})});
        var q = {n: x};
        var draw = function(f) { return function(i) { factor(0.1 * sample(Gaussian({mu: 0, sigma: 1}))); return f(i); }; };
        var made = map(draw(function(i) { return {n: 1}; }), [0, 1, 2, 3]);
        var picked = map(draw(function(i) { return y > 0 ? objects[i] : A; }), [0, 1, 2, 3]);
        var given = map(draw(function(i) { return q; }), [0, 1, 2, 3]);
        factor(0.01 * x * (count(made) + 3 * count(picked) + 9 * count(given)));
      });
    };`,
  'as many values as a choice says': `${DATA} var model = function() {
    mapData({data: data}, function(y) {
      var k = sample(RandomInteger({n: 3}), {guide: Discrete({ps: simplex(Vector([param({name: 'w'}) * y, 0.1]))})});
      observe(Gaussian({mu: sample(RandomInteger({n: k + 1})), sigma: 2}), y); }); };`,
  'mean field per datum': `${DATA} var model = function() {
    mapData({data: data}, function(y) {
      var x = sample(Gaussian({mu: 0, sigma: 1}));
      var k = sample(Discrete({ps: [0.2, 0.3, 0.5]}));
      observe(Gaussian({mu: x + k, sigma: 0.5}), y); }); };`,
  'branches that diverge': `${DATA} var model = function() {
    mapData({data: data}, function(y) {
      if (y > 1) {
        var x = sample(Gaussian({mu: 1, sigma: 1}), {guide: Gaussian({mu: param({name: 'a'}), sigma: 1})});
        observe(Gaussian({mu: x, sigma: 1}), y);
      } else {
        var z = flip(0.5);
        observe(Gaussian({mu: z ? -1 : 0, sigma: 1}), y);
      } }); };`,
  'recursion of differing depth': `${DATA} var model = function() {
    var walk = function(x, n) { return x > 1 || n === 4 ? x : walk(x + sample(Gaussian({mu: 0.5, sigma: 0.2}), {guide: Gaussian({mu: param({name: 'step'}), sigma: 0.3})}), n + 1); };
    mapData({data: data}, function(y) { observe(Gaussian({mu: walk(y, 0), sigma: 1}), y); }); };`,
  'two lists': `${DATA} var xs = _.range(9); var model = function() {
    var m = modelParam({name: 'm'});
    var s = sample(Gaussian({mu: 0, sigma: 1}));
    var zs = map2(function(y, x) {
      var z = sample(Gaussian({mu: m * x, sigma: 1}), {guide: Gaussian({mu: param({name: 'a'}) * y, sigma: 1})});
      observe(Gaussian({mu: s + z, sigma: 1}), y);
      return z; }, data, xs);
    map2(function(z, k) { if (k) { observe(Gaussian({mu: z, sigma: 1}), m); } }, zs, [true, false, false, true, true, false, true]);
    mapPairs(function(z, next) { observe(Gaussian({mu: z - next, sigma: 1}), 0.1); }, zs);
    return map2(function(x, z) { return x + z; }, data, zs); };`,
  'two lists of each datum': `var rows = [{a: [1, 2, 3, 4, 1], b: [0.5, 1, 0.2, 3, 1]}, {a: [3, 1, 2, 2], b: [1, 1, 2, 0.1]}, {a: [2, 2, 1, 4, 1, 2], b: [1, 0, 0, 2, 1, 1]}];
    var model = function() {
      var m = modelParam({name: 'm'});
      mapData({data: rows}, function(row, i) {
        var w = sample(Gaussian({mu: m, sigma: 1}));
        var zs = map2(function(x, y) {
          var c = flip(0.4);
          observe(Gaussian({mu: c ? w * x : i, sigma: 1}), y);
          return sample(Gaussian({mu: w * x, sigma: 1})); }, row.a, row.b);
        observe(Gaussian({mu: sum(zs), sigma: 1}), 1);
        mapPairs(function(x, y) { observe(Gaussian({mu: w * x, sigma: 1}), y); }, row.a); }); };`,
  'minibatches with two lists of each datum': `var rows = [{a: [1, 2, 3, 4], b: [0.5, 1, 0.2, 3]}, {a: [3, 1, 2, 2], b: [1, 1, 2, 0.1]}, {a: [2, 2, 1, 4], b: [1, 0, 0, 2]}];
    var model = function() {
      var m = modelParam({name: 'm'});
      mapData({data: rows, batchSize: 2}, function(row) {
        map2(function(x, y) {
          var z = sample(Gaussian({mu: m, sigma: 1}), {guide: Gaussian({mu: param({name: 'g'}) * y, sigma: 1})});
          observe(Gaussian({mu: z * x, sigma: 1}), y); }, row.a, row.b); }); };`,
  'fields of an object': `${DATA} var model = function() {
    var m = modelParam({name: 'm'});
    var scales = mapObject(function(key, x) { return sample(Gaussian({mu: m * x, sigma: 1})); }, {a: 1, b: 2, c: 3, d: 4, e: 5});
    observe(Gaussian({mu: scales.a + scales.e, sigma: 1}), 2);
    mapData({data: data}, function(y) {
      var own = mapObject(function(key, s) { return s * y; }, scales);
      observe(Gaussian({mu: own.b, sigma: 1}), y); }); };`,
  'lists that are filtered': `var rows = [[1, 2, 3, 4, 5, 9], [0.5, -2, 1, 3, 2, 2], [3, 3, 1, 7, 2, 0, 4]]; var model = function() {
    var m = modelParam({name: 'm'});
    mapData({data: rows}, function(row) {
      var large = filter(function(x) { return x > 1; }, row);
      map(function(x) { observe(Gaussian({mu: m, sigma: 1}), x); }, large); });
    var kept = filter(function(x) { return flip(0.5) || x < 1; }, [0, 1, 2, 3, 4]);
    observe(Gaussian({mu: m * kept.length, sigma: 1}), 1); };`,
  minibatches: `${DATA} var model = function() {
    var m = sample(Gaussian({mu: 0, sigma: 2}));
    mapData({data: data, batchSize: 3}, function(y, i) {
      var z = flip(0.3);
      observe(Gaussian({mu: z ? m : m + i, sigma: 1}), y); }); };`,
  'minibatches of data with parameters of their own': `${DATA} var model = function() {
    var m = modelParam({name: 'm'});
    mapData({data: data, batchSize: 2}, function(y, i) {
      var z = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param(), sigma: softplus(param({mu: 0.1}))})});
      var v = param({dims: [2, 1]});
      var w = y > 1 ? sample(Gaussian({mu: T.sumreduce(v), sigma: 1})) : flip(0.4) ? m : 0;
      var own = mapN(function(k) { return sample(Gaussian({mu: k, sigma: 1})); }, 4);
      observe(Gaussian({mu: z + w + sum(own), sigma: 0.5}), y); }); };`,
  'variables of each datum that inner functions change': `${DATA} var model = function() {
    var m = modelParam({name: 'm'});
    let weight = 0;
    mapIndexed(function(i, x) { weight += x * sample(Gaussian({mu: m, sigma: 1})); }, [1, 2, 3, 4, 5]);
    mapData({data: data}, function(y) {
      let total = 0;
      let count = 0;
      mapIndexed(function(i, x) {
        const z = sample(Gaussian({mu: x, sigma: 1}), {guide: Gaussian({mu: param({name: 'g'}) * y, sigma: 1})});
        if (y > 1) { count++; }
        total = total + z * i; }, [0.1, 0.2, 0.3, 0.4, 0.5]);
      [1, 2, 3].forEach(function(k) { total += k * m; });
      const walk = function(n) { if (n > 0) { total = total * 0.9; walk(n - 1); } };
      walk(y > 0 ? 2 : 1);
      observe(Gaussian({mu: total + count + weight, sigma: 1}), y); }); };`,
  'variables that the iterations share': `${DATA} var model = function() {
    var m = modelParam({name: 'm'});
    let total = 0;
    mapData({data: data}, function(y) {
      const z = sample(Gaussian({mu: m, sigma: 1}));
      observe(Gaussian({mu: z + total, sigma: 1}), y);
      total += 0.1 * z; });
    observe(Gaussian({mu: total, sigma: 1}), 1); };`,
  'minibatches of one': `${DATA} var model = function() {
    var m = modelParam({name: 'm'});
    mapData({data: data, batchSize: 1}, function(y, i) { observe(Gaussian({mu: m + i, sigma: 1}), y); }); };`,
  'minibatches of pictures': `${pictures('1')}`,
  'minibatches of pictures, one of which has shades': `${pictures('(i === 4 ? 0.1 : 1)')}`,
  'minibatches within minibatches': `var rows = [[1, 2, 4], [0.5, 0.1, -2], [3, 3, 1]]; var model = function() {
    var m = modelParam({name: 'm'});
    mapData({data: rows, batchSize: 2}, function(row, i) {
      mapData({data: row, batchSize: 1}, function(y, j) { observe(Gaussian({mu: m * j + i, sigma: 1}), y); }); }); };`,
  'ragged minibatches within minibatches, with choices': `var rows = [[1, 2, 4], [0.5, -2], [3, 3, 1, 7], [2, 1]]; var model = function() {
    var m = modelParam({name: 'm'});
    mapData({data: rows, batchSize: 3}, function(row, i) {
      var c = flip(0.4);
      mapData({data: row, batchSize: 2}, function(y, j) {
        var z = sample(Bernoulli({p: c ? 0.7 : 0.2}), {guide: Bernoulli({p: Math.sigmoid(param({name: 'w'}) * y)})});
        var x = sample(Gaussian({mu: 0, sigma: 1}));
        observe(Gaussian({mu: z ? m * j + x : i, sigma: 1}), y); }); }); };`,
  'a minibatch of shared data for each datum': `${DATA} var rows = [1, 2, 3]; var model = function() {
    var m = modelParam({name: 'm'});
    mapData({data: rows}, function(r) {
      mapData({data: data, batchSize: 2}, function(y, j) { observe(Gaussian({mu: m * j + r, sigma: 1}), y); }); }); };`,
  'minibatches three deep': `var boxes = [[[1, 2], [3, 4, 5]], [[0, 1, 2], [2, 2]]]; var model = function() {
    var m = modelParam({name: 'm'});
    mapData({data: boxes}, function(box, i) {
      mapData({data: box, batchSize: 1}, function(row, j) {
        mapData({data: row, batchSize: 2}, function(y, k) { observe(Gaussian({mu: m * k + j - i, sigma: 1}), y); }); }); }); };`,
  'minibatches whose iterations share a store': `${DATA} var model = function() {
    globalStore.total = modelParam({name: 'm'});
    mapData({data: data, batchSize: 3}, function(y) {
      globalStore.total = globalStore.total + 0.1 * y;
      observe(Gaussian({mu: globalStore.total, sigma: 1}), y); }); };`,
  'nested passes': `var rows = [[1, 2], [0.5, 0.1, -2], [3]]; var model = function() {
    mapData({data: rows}, function(row) {
      var c = sample(Gaussian({mu: 0, sigma: 1}));
      mapData({data: row}, function(y) {
        var z = flip(0.5);
        observe(Gaussian({mu: z ? c : -c, sigma: 1}), y); }); }); };`,
  'maps inside': `${DATA} var model = function() {
    mapData({data: data}, function(y) {
      var xs = repeat(3, function() { return sample(Gaussian({mu: 0, sigma: 1})); });
      var zs = map(function(x) { return flip(0.5) ? x : 0; }, xs);
      observe(Gaussian({mu: sum(zs), sigma: 1}), y); }); };`,
  'objects as data': `var points = [{x: 1, y: 2, tag: 'a'}, {x: 2, y: 3.5, tag: 'b'}, {x: 3, y: 6, tag: 'a'}]; var model = function() {
    var k = modelParam({name: 'k'});
    mapData({data: points}, function(p) {
      var shift = p.tag === 'a' ? 0 : sample(Gaussian({mu: 0, sigma: 1}));
      observe(Gaussian({mu: k * p.x + shift, sigma: 1}), p.y); }); };`,
  'results that are used': `${DATA} var model = function() {
    var xs = mapData({data: data}, function(y) {
      var x = sample(Gaussian({mu: 0, sigma: 1}));
      observe(Gaussian({mu: x, sigma: 1}), y);
      return x; });
    factor(-sum(xs) * sum(xs)); };`,
  'the store within an iteration': `${DATA} var model = function() {
    mapData({data: data}, function(y) {
      globalStore.h = 0;
      repeat(2, function() { globalStore.h = globalStore.h + sample(Gaussian({mu: 0, sigma: 1})); });
      observe(Gaussian({mu: globalStore.h, sigma: 1}), y); }); };`,
  'the store after the iterations': `${DATA} var model = function() {
    mapData({data: data}, function(y) {
      globalStore.last = sample(Gaussian({mu: 0, sigma: 1}));
      observe(Gaussian({mu: globalStore.last, sigma: 1}), y); });
    factor(-globalStore.last * globalStore.last); };`,
  'the store between iterations': `${DATA} var model = function() {
    globalStore.total = 0;
    mapData({data: data}, function(y) {
      globalStore.total = globalStore.total + sample(Gaussian({mu: 0, sigma: 1}));
      observe(Gaussian({mu: globalStore.total, sigma: 1}), y); }); };`,
  'an inference inside': `${DATA} var model = function() {
    mapData({data: data}, function(y) {
      var p = Math.exp(Infer({method: 'enumerate', model: function() { return flip(y > 0 ? 0.8 : 0.2); }}).score(true));
      var x = sample(Gaussian({mu: p, sigma: 1}));
      observe(Gaussian({mu: x, sigma: 1}), y); }); };`,
  'memoised choices': `${DATA} var model = function() {
    var kind = mem(function(k) { return sample(Gaussian({mu: k, sigma: 1})); });
    mapData({data: data}, function(y) { observe(Gaussian({mu: kind(y > 0 ? 1 : 0), sigma: 1}), y); }); };`,
  'choices memoised before the data': `${DATA} var model = function() {
    var kind = mem(function(k) { return sample(Gaussian({mu: k, sigma: 1})); });
    var all = [kind(0), kind(1)];
    mapData({data: data}, function(y) { observe(Gaussian({mu: kind(y > 0 ? 1 : 0) + sum(all), sigma: 1}), y); }); };`,
  'levels of groups and discrete kinds that data share through mem': `
    var data = map(function(i) { return {who: 'p' + (i % 4), item: i % 3, y: i / 5}; }, _.range(12));
    var model = function() {
      var skill = mem(function(who) { return sample(Gaussian({mu: modelParam({name: 'm', mu: 0.2}), sigma: 1})); });
      var item = mem(function(k) { return {hard: gaussian(0, 1), slope: Math.exp(gaussian(0, 0.3)), tags: [flip(0.4) ? 1 : 0]}; });
      var pair = mem(function(who, k) { return skill(who) + item(k).hard; });
      mapData({data: data}, function(d) {
        var upset = sample(Bernoulli({p: 0.3}), {guide: Bernoulli({p: sigmoid(param({name: 'u'}))})});
        if (upset) { observe(Gaussian({mu: item(d.item).slope + item(d.item).tags[0], sigma: 1}), d.y); }
        else { observe(Gaussian({mu: pair(d.who, d.item) + skill(d.who), sigma: 1}), d.y); }
      });
      observe(Gaussian({mu: skill('p0') + pair('p1', 2), sigma: 1}), 0.5);
    };`,
  'words that minibatches share through mem': `
    var words = ['a', 'bb', 'c', 'dd', 'e'];
    var data = map(function(i) { return {id: i % 3, words: map(function(k) { return words[(i + k * k) % 5]; }, _.range(4))}; }, _.range(9));
    var model = function() {
      var embed = mem(function(w) { return gaussian(0, 1); });
      var level = mem(function(id) { return {v: sample(Gaussian({mu: modelParam({name: 'm', mu: 0.2}), sigma: 1}))}; });
      map(embed, words); map(level, [0, 1, 2]);
      mapData({data: data, batchSize: 3}, function(d) {
        var t = gaussian(level(d.id).v, 1);
        map(function(w) { observe(Gaussian({mu: embed(w) * t, sigma: 1}), w.length); }, d.words);
      });
    };`,
  'functions memoised for each datum': `${DATA} var model = function() {
    mapData({data: data}, function(y) {
      var kind = mem(function(k) { return sample(Gaussian({mu: k, sigma: 1})); });
      observe(Gaussian({mu: kind(0) + kind(0) + kind(y > 0 ? 1 : 0), sigma: 1}), y); }); };`,
  'cached functions of text': `var points = [{x: 1, tag: 'a'}, {x: 2, tag: 'b'}, {x: 3, tag: 'a'}, {x: 1, tag: 'b'}];
    var offset = cache(function(tag) { return tag === 'a' ? 1 : 2; });
    var model = function() {
      mapData({data: points}, function(p) {
        var z = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'at' + offset(p.tag)}), sigma: 1})});
        observe(Gaussian({mu: z + offset(p.tag), sigma: 1}), p.x); }); };`,
  'results of iterations of all kinds': `var rows = [[1, 2, 0.3, 0.1, 2], [0.5, 0.1, -2, 1, 1], [3, 1, 2, 3, 4], [0.1, 0.2, 0.3, 0.4, 0.5]]; var model = function() {
    var m = modelParam({name: 'm'});
    mapData({data: rows}, function(row) {
      var parts = map(function(y) {
        var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: m * y, sigma: 1})});
        return {x: x, on: y > 0.5, pair: [x, y], tag: y > 1 ? 'high' : 'low'}; }, row);
      var again = map(function(p) { return p.on ? p.x : p.pair[1]; }, parts);
      observe(Gaussian({mu: sum(again) + parts[2].x + (parts[0].tag === 'high' ? 1 : 0), sigma: 1}), 1);
      mapIndexed(function(i, p) { factor(-p.x * p.x * 0.1 * i); }, parts); }); };`,
  'discrete choices in a map': `${DATA} var model = function() {
    var zs = map(function(y) {
      var z = sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(param({name: 'w'}) * y)})});
      factor(z ? y : -0.1 * y);
      return z; }, data);
    var count = sum(map(function(z) { return z ? 1 : 0; }, zs));
    observe(Gaussian({mu: count, sigma: 1}), 3); };`,
  'discrete choices in maps of ragged data': `var rows = [[1, 2, 0.3, 0.4, 1], [0.5, 0.1, -2, 1, 0.3, 0.2], [3, 1, 2, 0.4]]; var model = function() {
    mapData({data: rows}, function(row) {
      forEach(row, function(y, i) {
        var z = sample(Bernoulli({p: 0.4}), {guide: Bernoulli({p: sigmoid(param({name: 'w'}) * y)})});
        if (i === 1) { factor(0.3); }
        factor(z ? y : -0.1 * y * i); });
      factor(flip(0.3) ? 0.2 : 0.1); }); };`,
  'the store left by a map': `${DATA} var model = function() {
    repeat(6, function() { globalStore.last = sample(Gaussian({mu: 0, sigma: 1})); });
    mapData({data: data}, function(y) {
      forEach([1, 2, 3, 4, 5], function(k) { globalStore.h = sample(Gaussian({mu: k, sigma: 1})); });
      observe(Gaussian({mu: globalStore.h + globalStore.last, sigma: 1}), y); }); };`,
  'closures made in a map': `${DATA} var model = function() {
    var fs = map(function(y) { var x = sample(Gaussian({mu: y, sigma: 1})); return function(t) { return t * x; }; }, data);
    factor(-fs[2](1) * fs[3](2)); };`,
  'distributions made in a map': `${DATA} var model = function() {
    var ds = map(function(y) { var x = sample(Gaussian({mu: y, sigma: 1})); return Gaussian({mu: x, sigma: 1}); }, data);
    map(function(d) { observe(d, 0.3); }, ds); };`,
  'missing fields': `var points = [{x: 1}, {x: 2, z: null}, {x: 3, z: 2}, {x: 4, z: 1}]; var model = function() {
    var m = modelParam({name: 'm'});
    mapData({data: points}, function(p) { observe(Gaussian({mu: m * (p.z ?? 3) + (p.z === null ? 1 : 0), sigma: 1}), p.x); }); };`,
  'continuous families': `${DATA} var model = function() {
    mapData({data: data}, function(y) {
      var g = sample(Gamma({shape: 2, scale: 1}));
      var b = sample(Beta({a: 2, b: 2}));
      var u = sample(Uniform({a: -1, b: 1}));
      var d = sample(Dirichlet({alpha: Vector([1, 2, 3])}));
      observe(Gaussian({mu: u + T.get(d, 0) * b, sigma: g}), y); }); };`,
  'a variable that iterations share': `${DATA} var model = function() {
    let total = 0;
    let count = 0;
    mapData({data: data}, function(y) {
      var x = sample(Gaussian({mu: 0, sigma: 1}));
      total += x;
      count++;
      observe(Gaussian({mu: x, sigma: 1}), y); });
    factor(-total * total / count); };`,
  'an object that iterations share': `${DATA} var model = function() {
    var seen = [];
    var state = {last: 0};
    mapData({data: data}, function(y) {
      var x = sample(Gaussian({mu: state.last, sigma: 1}));
      seen.push(x);
      state.last = x;
      observe(Gaussian({mu: x, sigma: 1}), y); });
    factor(-sum(seen)); };`,
  'parameters read as they are': `${DATA} var model = function() {
    var m = modelParam({name: 'm'});
    var now = getParams().m;
    var scale = 1 + Math.abs(now === undefined ? 0 : T.get(now, 0));
    mapData({data: data}, function(y) { observe(Gaussian({mu: m, sigma: scale}), y); }); };`,
  'a variable that steps share': `${DATA} var steps = {done: 0}; var model = function() {
    steps.done = steps.done + 1;
    mapData({data: data}, function(y) {
      var x = sample(Gaussian({mu: 0, sigma: 1}));
      observe(Gaussian({mu: x, sigma: 1 + steps.done}), y); }); };`,
  'an object that steps share, changed by the host': `${DATA} var steps = {done: 0, seen: 0}; var model = function() {
    Object.assign(steps, {done: steps.done + 1});
    _.set(steps, 'seen', steps.seen + 1);
    var own = Object.assign({}, {sigma: 1 + steps.done + steps.seen});
    mapData({data: data}, function(y) {
      var x = sample(Gaussian({mu: 0, sigma: 1}));
      observe(Gaussian({mu: x, sigma: own.sigma}), y); }); };`,
  'local variables': `${DATA} var model = function() {
    mapData({data: data}, function(y) {
      let t = 0;
      for (let i = 0; i < 3; i++) { t += sample(Gaussian({mu: 0, sigma: 1})); t *= 2; }
      observe(Gaussian({mu: t, sigma: 1}), y); }); };`,
  'arrays as data of minibatches': `var rows = [[1, 0, 1], [0, 0, 1], [1, 1, 1], [0, 1, 0], [1, 0, 0]]; var model = function() {
    mapData({data: rows, batchSize: 3}, function(row) {
      var input = map(function(x) { return x ? 1 : -1; }, row);
      var h = sample(Bernoulli({p: 0.5}), {guide: Bernoulli({p: Math.sigmoid(param({name: 'w'}) * sum(input))})});
      mapData({data: row}, function(x, i) { observe(Bernoulli({p: h ? 0.8 : 0.1 + i / 10}), x === 1); }); }); };`,
  'causes and their effects': `var priors = [0.1, 0.4, 0.3, 0.6, 0.2]; var links = [[0, 3], [1, 2, 4], [4], [0, 1, 2, 3]];
    var rows = [[1, 0, 1, 1], [0, 0, 1, 0], [1, 1, 0, 1], [0, 1, 0, 0]];
    var noisyOr = function(parents, causes) {
      return 1 - 0.95 * product(map(function(k) { return causes[k] ? 0.2 + k / 10 : 1; }, parents)) * (1 - sum(map(function(k) { return causes[k] ? 0.01 : 0.02; }, parents)));
    };
    var model = function() {
      var predict = affine('predict', {in: 4, out: 5});
      mapData({data: rows, batchSize: 3}, function(row) {
        var ps = sigmoid(predict(Vector(row)));
        var causes = mapIndexed(function(i, p) { return sample(Bernoulli({p: p}), {guide: Bernoulli({p: T.get(ps, i)})}); }, priors);
        mapData({data: row}, function(x, j) { observe(Bernoulli({p: noisyOr(links[j], causes)}), x === 1); });
      }); };`,
  'words by their columns': `var docs = [[0, 2, 1, 5], [3, 3], [4, 0, 5], [1]]; var model = function() {
      var embed = affine('embed', {in: 6, out: 3});
      mapData({data: docs}, function(doc) {
        mapData({data: doc}, function(word) {
          var z = sample(Discrete({ps: [0.3, 0.3, 0.4]}), {guide: Discrete({ps: softplus(tanh(embed(oneHot(word, 6))))})});
          observe(Gaussian({mu: z, sigma: 1}), word / 2);
        });
      }); };`,
  'numbers as values of a table': `${DATA} var model = function() {
    mapData({data: data}, function(y) {
      var c = sample(Categorical({ps: [0.2, 0.8], vs: [-1, 1]}));
      observe(Gaussian({mu: c, sigma: 1}), y); }); };`,
  'functions of lodash': `var rows = [{w: 'a', n: 1, xs: [1, 2, 3]}, {w: 'abc', n: -2, xs: [2, 1]}, {w: 'ad', n: 3, xs: [1]}, {w: 'a', n: 1, xs: [3, 3, 1]}];
    var model = function() {
      mapData({data: rows, batchSize: 3}, function(r) {
        var x = sample(Gaussian({mu: _.size(r.w), sigma: 1}), {guide: Gaussian({mu: param({name: 'm'}) + (_.isEqual(r.w, 'abc') ? 1 : 0), sigma: 1})});
        var k = sample(Discrete({ps: [0.3, 0.7]}), {guide: Discrete({ps: [0.5, 0.5]})});
        var pairs = _.zip(r.xs, r.xs);
        var known = _.includes(['a', 'b'], r.w) && _.isString(r.w) && _.isNumber(x) && Object.is(r.n, 1);
        observe(Gaussian({mu: _.last([1, x]) + pairs.length, sigma: 1}), _.sum(r.xs) + (known ? 1 : 0) + _.uniq(r.xs).length);
        factor(_.isEqual([k, r.n], [1, 1]) ? 0.5 : _.indexOf(r.xs, 2 - k) / 3);
        factor(_.get(_.pick({p: x, q: r.w}, ['p']), 'p') / 10 + (_.has(r, 'w') ? 0.1 : 0));
      });
    };`,
  'collections of the host': `var rows = [{w: 'a', xs: [1, 2, 1]}, {w: 'b', xs: [2, 1]}, {w: 'a', xs: [1]}];
    var model = function() {
      mapData({data: rows}, function(r) {
        var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'm'}), sigma: 1})});
        observe(Gaussian({mu: x, sigma: 1}), new Set(r.xs).size + (new Map([[r.w, 1]]).has('a') ? 1 : 0));
      });
    };`,
  'counts, words and objects observed, or scored': `
    var rows = [{w: 'a', cs: [1, 2, 3], o: {p: 1}}, {w: 'abc', cs: [2, 2, 2], o: {p: 3}}, {w: 'b', cs: [0, 0, 6], o: {p: 1}}];
    var model = function() {
      mapData({data: rows}, function(r) {
        var x = sample(Gaussian({mu: 0, sigma: 1}), {guide: Gaussian({mu: param({name: 'm'}), sigma: 1})});
        observe(Multinomial({ps: [Math.exp(x), 1, 2], n: 6}), r.cs);
        factor(Multinomial({ps: [0.2, 0.3, 0.5], n: 6}).score(r.cs) / 10);
        observe(Categorical({vs: ['a', 'abc', 'b'], ps: [0.1, 0.2, 0.7]}), r.w);
        factor(Categorical({vs: ['a', 'abc', 'b'], ps: [0.1, 0.2, 0.7]}).score(r.w));
        factor(Categorical({vs: [{p: 1}, {p: 3}]}).score(r.o) + Categorical({vs: [r.w, 'z', 'b']}).score('b'));
        factor(Delta({v: 'a'}).score(r.w) === 0 ? 0.5 : Delta({v: r.o}).score({p: 3}) === 0 ? 0.3 : 0);
        var d = Infer({method: 'enumerate', model() { return flip(0.3) ? r.w : 'b'; }});
        factor(d.score('b') + (r === rows[1] ? 0.1 : 0) + ([r.o, 1].includes(rows[0].o) ? 0.2 : 0));
        factor(Object.keys({...r, more: x}).length / 10 + _.defaults({}, r.o).p + (_.matches({w: 'a'})(r) && _.eq(r.cs, r.cs) ? 0.4 : 0));
        factor((r.cs[0] + 0.5).toFixed(2).length / 10 + [...r.cs.entries()].length);
      });
    };`,
  'fields and methods of text': `var words = ['a', 'abc', 'bcd', 'ad', 'ef', 'xyzzy', 'b']; var model = function() {
      mapData({data: words, batchSize: 5}, function(w, i) {
        var x = sample(Gaussian({mu: w.length, sigma: 1}), {guide: Gaussian({mu: param({name: 'm'}) + w.indexOf('b'), sigma: 1})});
        observe(Gaussian({mu: x + (w[0] === 'a' ? 1 : 0), sigma: 1}), w.charAt(1).length + (w.toUpperCase() < 'B' ? 2 : 0));
        factor(JSON.stringify(w).length / 10 + w.slice(1).concat('x').length / 5);
      });
    };`,
  'text as values': `${DATA} var model = function() {
    mapData({data: data}, function(y) {
      var c = sample(Categorical({ps: [0.2, 0.8], vs: ['lo', 'hi']}));
      observe(Gaussian({mu: c === 'lo' ? -1 : 1, sigma: 1}), y); }); };`,

  'texts that iterations inside iterations return': `
    var model = function() {
      var level = {a: gaussian(0, 1), b: gaussian(1, 1)};
      var names = map(function(words) {
        return map(function(word) { return ['a', 'b'][discrete(Vector([0.3, 0.7]))]; }, words);
      }, [[1, 2, 3, 1], [2, 1, 1, 0], [0, 0, 2, 1], [1, 1, 1, 1]]);
      map2(function(name, y) { observe(Gaussian({mu: level[name], sigma: 1}), y); }, names[1], [0.5, 1, 2, 0]);
      observe(Gaussian({mu: names[2][0] === 'a' ? level.a : names[2][0] === 'b' ? level.b : 100, sigma: 1}), 0);
    };`,

  'objects that choices pick from a list': `${DATA}
    var A = {m: -1, name: 'a', next: {v: 2}}; var B = {m: 1, name: 'bb', next: {v: 0}};
    var model = function() {
      var shift = {a: modelParam({name: 'm0', mu: -0.5}), bb: modelParam({name: 'm1', mu: 0.5})};
      mapData({data: data}, function(y) {
        var w = [A, B, A][sample(Discrete({ps: [0.3, 0.3, 0.4]}), {guide: Discrete({ps: simplex(Vector([param({name: 'w'}) * y, 0.2]))})})];
        var other = ['a', 'bb'][sample(Bernoulli({p: 0.6})) ? 1 : 0];
        observe(Gaussian({mu: w.m + shift[w.name] + w.next.v * w.name.length, sigma: w === A ? 1 : 2}), y);
        factor(w.name === other ? 0.3 : w.name.toUpperCase() === 'A' ? -0.2 : 0);
      }); };`,

  'an object picked outside of iterations': `
    var kinds = [{mu: 0, sigma: 1, tags: ['x']}, {mu: 2, sigma: 0.5, tags: ['x', 'y']}, {mu: -1, sigma: 2, tags: []}];
    var model = function() {
      var kind = kinds[sample(Discrete({ps: [0.2, 0.5, 0.3]}), {guide: Discrete({ps: simplex(Vector([param({name: 'a'}), param({name: 'b'})]))})})];
      var word = sample(Categorical({vs: ['up', 'down'], ps: [0.5, 0.5]}));
      observe(Gaussian({mu: kind.mu, sigma: kind.sigma}), 1.5);
      factor((kind === kinds[1] ? 0.5 : 0) + (word === 'up' ? 0.1 : -0.1) * kind.tags.length + {up: 0.2, down: 0.7}[word]);
    };`,
};
