// An interpreter of expressions in brackets, whose builtins evaluate their own arguments: nearly everything stands in one cycle.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Cell;
using Ref = std::shared_ptr<Cell>;
struct Scope;
using ScopeRef = std::shared_ptr<Scope>;
using Builtin = Ref (*)(const Cell &, const ScopeRef &);

struct Cell {
  enum Kind { Number, Symbol, List, Lambda } kind = Number;
  long number = 0;
  std::string symbol;
  std::vector<Ref> items;
  ScopeRef scope;
};

struct Scope {
  std::map<std::string, Ref> names;
  ScopeRef outer;
};

static std::map<std::string, Builtin> builtins;

#define SEEN __attribute__((noinline))

SEEN Ref number(long n) {
  auto out = std::make_shared<Cell>();
  out->number = n;
  return out;
}

SEEN Ref list(std::vector<Ref> items) {
  auto out = std::make_shared<Cell>();
  out->kind = Cell::List;
  out->items = std::move(items);
  return out;
}

SEEN Ref read(const char *&at) {
  while (*at == ' ' || *at == '\n') at++;
  if (*at == '(') {
    std::vector<Ref> items;
    for (at++;;) {
      while (*at == ' ' || *at == '\n') at++;
      if (*at == ')') break;
      items.push_back(read(at));
    }
    at++;
    return list(items);
  }
  if ((*at >= '0' && *at <= '9') || *at == '-') {
    char *end;
    long n = strtol(at, &end, 10);
    if (end != at) {
      at = end;
      return number(n);
    }
  }
  auto out = std::make_shared<Cell>();
  out->kind = Cell::Symbol;
  while (*at && *at != ' ' && *at != ')' && *at != '\n') out->symbol += *at++;
  return out;
}

SEEN Ref lookup(const std::string &name, const ScopeRef &scope) {
  for (Scope *s = scope.get(); s; s = s->outer.get()) {
    auto found = s->names.find(name);
    if (found != s->names.end()) return found->second;
  }
  return number(0);
}

SEEN Ref eval(const Ref &cell, const ScopeRef &scope);

SEEN Ref apply(const Ref &lambda, std::vector<Ref> arguments) {
  auto scope = std::make_shared<Scope>();
  scope->outer = lambda->scope;
  auto &names = lambda->items[1]->items;
  for (size_t i = 0; i < names.size() && i < arguments.size(); i++) scope->names[names[i]->symbol] = arguments[i];
  return eval(lambda->items[2], scope);
}

SEEN Ref callLambda(const Cell &call, const Ref &lambda, const ScopeRef &scope) {
  std::vector<Ref> arguments;
  for (size_t i = 1; i < call.items.size(); i++) arguments.push_back(eval(call.items[i], scope));
  return apply(lambda, arguments);
}

Ref eval(const Ref &cell, const ScopeRef &scope) {
  if (cell->kind == Cell::Symbol) return lookup(cell->symbol, scope);
  if (cell->kind != Cell::List) return cell;
  auto builtin = builtins.find(cell->items[0]->symbol);
  if (builtin != builtins.end()) return builtin->second(*cell, scope);
  return callLambda(*cell, eval(cell->items[0], scope), scope);
}

#define ARG(k) eval(call.items[k], scope)
#define BUILTIN(name) SEEN Ref name(const Cell &call, const ScopeRef &scope)
#define ARITHMETIC(name, op)                                                                                                     \
  BUILTIN(name) { return number(ARG(1)->number op ARG(2)->number); }

ARITHMETIC(opAdd, +)
ARITHMETIC(opSubtract, -)
ARITHMETIC(opMultiply, *)
ARITHMETIC(opLess, <)
ARITHMETIC(opGreater, >)
ARITHMETIC(opEqual, ==)
ARITHMETIC(opBitAnd, &)
ARITHMETIC(opBitOr, |)
ARITHMETIC(opBitXor, ^)

BUILTIN(opModulo) {
  long by = ARG(2)->number;
  return number(by ? ARG(1)->number % by : 0);
}
BUILTIN(opDivide) {
  long by = ARG(2)->number;
  return number(by ? ARG(1)->number / by : 0);
}
BUILTIN(opNot) { return number(!ARG(1)->number); }
BUILTIN(opNegate) { return number(-ARG(1)->number); }
BUILTIN(opAnd) { return number(ARG(1)->number && ARG(2)->number); }
BUILTIN(opOr) { return number(ARG(1)->number || ARG(2)->number); }
BUILTIN(opIf) { return ARG(1)->number ? ARG(2) : ARG(3); }
BUILTIN(opUnless) { return ARG(1)->number ? number(0) : ARG(2); }
BUILTIN(opQuote) { return call.items[1]; }
BUILTIN(opLambda) {
  auto out = std::make_shared<Cell>(call);
  out->kind = Cell::Lambda;
  out->scope = scope;
  return out;
}
BUILTIN(opDefine) {
  Ref value = ARG(2);
  scope->names[call.items[1]->symbol] = value;
  return value;
}
BUILTIN(opLet) {
  auto inner = std::make_shared<Scope>();
  inner->outer = scope;
  inner->names[call.items[1]->symbol] = ARG(2);
  return eval(call.items[3], inner);
}
BUILTIN(opBegin) {
  Ref out;
  for (size_t i = 1; i < call.items.size(); i++) out = ARG(i);
  return out;
}
BUILTIN(opWhile) {
  Ref out = number(0);
  while (ARG(1)->number) out = ARG(2);
  return out;
}
BUILTIN(opList) {
  std::vector<Ref> out;
  for (size_t i = 1; i < call.items.size(); i++) out.push_back(ARG(i));
  return list(out);
}
BUILTIN(opRange) {
  std::vector<Ref> out;
  for (long i = 0, n = ARG(1)->number; i < n; i++) out.push_back(number(i));
  return list(out);
}
BUILTIN(opHead) {
  Ref of = ARG(1);
  return of->items.empty() ? number(0) : of->items[0];
}
BUILTIN(opTail) {
  Ref of = ARG(1);
  return list(of->items.empty() ? of->items : std::vector<Ref>(of->items.begin() + 1, of->items.end()));
}
BUILTIN(opSize) { return number(ARG(1)->items.size()); }
BUILTIN(opJoin) {
  std::vector<Ref> out = ARG(1)->items;
  Ref more = ARG(2);
  for (auto &item : more->items) out.push_back(item);
  return list(out);
}
BUILTIN(opMap) {
  Ref f = ARG(1), of = ARG(2);
  std::vector<Ref> out;
  for (auto &item : of->items) out.push_back(apply(f, {item}));
  return list(out);
}
BUILTIN(opFilter) {
  Ref f = ARG(1), of = ARG(2);
  std::vector<Ref> out;
  for (auto &item : of->items)
    if (apply(f, {item})->number) out.push_back(item);
  return list(out);
}
BUILTIN(opFold) {
  Ref f = ARG(1), out = ARG(2), of = ARG(3);
  for (auto &item : of->items) out = apply(f, {out, item});
  return out;
}
BUILTIN(opSort) {
  std::vector<Ref> items = ARG(2)->items;
  Ref less = ARG(1);
  for (size_t i = 1; i < items.size(); i++)
    for (size_t k = i; k > 0 && apply(less, {items[k], items[k - 1]})->number; k--) std::swap(items[k], items[k - 1]);
  return list(items);
}

static const char *const script = R"((begin
  (define fib (lambda (n) (if (< n 2) n (+ (fib (- n 1)) (fib (- n 2))))))
  (define even (lambda (n) (if (= n 0) 1 (odd (- n 1)))))
  (define odd (lambda (n) (if (= n 0) 0 (even (- n 1)))))
  (define square (lambda (n) (* n n)))
  (define quick (lambda (l) (if (< (size l) 2) l (let p (head l)
    (join (quick (filter (lambda (x) (< x p)) (tail l)))
      (join (list p) (quick (filter (lambda (x) (not (< x p))) (tail l)))))))))
  (define noise (map (lambda (n) (mod (* (+ n 7) 7919) 101)) (range 20)))
  (define count 0)
  (while (< count 6) (begin (define count (+ count 1)) (fold (lambda (a b) (xor a (square b))) 0 (range 15))))
  (+ (fib 8) (+ (even 7)
    (+ (fold (lambda (a b) (+ a b)) 0 (quick noise))
      (head (sort (lambda (a b) (or (< a b) (and (= a b) (> b a)))) noise))))))
))";

SEEN long runScript(const char *text) {
  const char *at = text;
  auto scope = std::make_shared<Scope>();
  return eval(read(at), scope)->number;
}

SEEN long callBack() {
  auto scope = std::make_shared<Scope>();
  const char *text = "(lambda (n) (if (unless (> n 3) (neg n)) (bitor n (bitand n 5)) (/ (* n 9) 2)))";
  Ref f = eval(read(text), scope);
  long sum = 0;
  for (int i = 0; i < 200; i++) sum += apply(f, {number(i)})->number;
  return sum;
}

int main() {
  builtins = {{"+", opAdd},        {"-", opSubtract},   {"*", opMultiply}, {"<", opLess},     {">", opGreater},   {"=", opEqual},
              {"bitand", opBitAnd}, {"bitor", opBitOr},  {"xor", opBitXor}, {"mod", opModulo}, {"/", opDivide},    {"not", opNot},
              {"neg", opNegate},    {"and", opAnd},      {"or", opOr},      {"if", opIf},      {"unless", opUnless}, {"quote", opQuote},
              {"lambda", opLambda}, {"define", opDefine}, {"let", opLet},    {"begin", opBegin}, {"while", opWhile}, {"list", opList},
              {"range", opRange},   {"head", opHead},    {"tail", opTail},  {"size", opSize},  {"join", opJoin},   {"map", opMap},
              {"filter", opFilter}, {"fold", opFold},    {"sort", opSort}};
  printf("%ld\n", runScript(script) + callBack());
}
