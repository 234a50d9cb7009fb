// A recursive-descent parser of formulas, and visitors that simplify, evaluate and print what it makes.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

#define SEEN __attribute__((noinline))

struct Number;
struct Variable;
struct Binary;
struct Negation;
struct Call;

struct Visitor {
  virtual void visit(Number &) = 0;
  virtual void visit(Variable &) = 0;
  virtual void visit(Binary &) = 0;
  virtual void visit(Negation &) = 0;
  virtual void visit(Call &) = 0;
  virtual ~Visitor() = default;
};

struct Node {
  virtual void accept(Visitor &) = 0;
  virtual ~Node() = default;
};
using Ptr = std::unique_ptr<Node>;

struct Number : Node {
  double value;
  explicit Number(double v) : value(v) {}
  void accept(Visitor &v) override { v.visit(*this); }
};
struct Variable : Node {
  std::string name;
  explicit Variable(std::string n) : name(std::move(n)) {}
  void accept(Visitor &v) override { v.visit(*this); }
};
struct Binary : Node {
  char op;
  Ptr left, right;
  Binary(char o, Ptr l, Ptr r) : op(o), left(std::move(l)), right(std::move(r)) {}
  void accept(Visitor &v) override { v.visit(*this); }
};
struct Negation : Node {
  Ptr of;
  explicit Negation(Ptr o) : of(std::move(o)) {}
  void accept(Visitor &v) override { v.visit(*this); }
};
struct Call : Node {
  std::string name;
  std::vector<Ptr> arguments;
  void accept(Visitor &v) override { v.visit(*this); }
};

class Parser {
  const char *at;

  SEEN Ptr parseCall(std::string name) {
    auto call = std::make_unique<Call>();
    call->name = std::move(name);
    for (at++; *at != ')';) {
      call->arguments.push_back(parseSum());
      if (*at == ',') at++;
    }
    at++;
    return call;
  }

  SEEN Ptr parsePrimary() {
    if (*at == '(') {
      at++;
      Ptr out = parseSum();
      at++;
      return out;
    }
    if (*at >= 'a' && *at <= 'z') {
      std::string name;
      while (*at >= 'a' && *at <= 'z') name += *at++;
      if (*at == '(') return parseCall(std::move(name));
      return std::make_unique<Variable>(std::move(name));
    }
    char *end;
    double value = strtod(at, &end);
    at = end;
    return std::make_unique<Number>(value);
  }

  SEEN Ptr parseUnary() {
    if (*at == '-') {
      at++;
      return std::make_unique<Negation>(parseUnary());
    }
    return parsePower();
  }

  SEEN Ptr parsePower() {
    Ptr left = parsePrimary();
    if (*at != '^') return left;
    at++;
    return std::make_unique<Binary>('^', std::move(left), parseUnary());
  }

  SEEN Ptr parseProduct() {
    Ptr left = parseUnary();
    while (*at == '*' || *at == '/') {
      char op = *at++;
      left = std::make_unique<Binary>(op, std::move(left), parseUnary());
    }
    return left;
  }

public:
  explicit Parser(const std::string &text) : at(text.c_str()) {}

  SEEN Ptr parseSum() {
    Ptr left = parseProduct();
    while (*at == '+' || *at == '-') {
      char op = *at++;
      left = std::make_unique<Binary>(op, std::move(left), parseProduct());
    }
    return left;
  }
};

struct Evaluate : Visitor {
  std::map<std::string, double> variables;
  double result = 0;
  SEEN double of(Node &node) {
    node.accept(*this);
    return result;
  }
  void visit(Number &n) override { result = n.value; }
  void visit(Variable &v) override { result = variables[v.name]; }
  void visit(Negation &n) override { result = -of(*n.of); }
  void visit(Binary &b) override {
    double left = of(*b.left), right = of(*b.right);
    switch (b.op) {
    case '+': result = left + right; break;
    case '-': result = left - right; break;
    case '*': result = left * right; break;
    case '/': result = right ? left / right : 0; break;
    default: result = std::pow(std::fabs(left), std::fmod(right, 3));
    }
  }
  void visit(Call &c) override {
    double sum = 0;
    for (auto &argument : c.arguments) sum += of(*argument);
    result = c.name == "sin" ? std::sin(sum) : c.name == "sqrt" ? std::sqrt(std::fabs(sum)) : sum;
  }
};

struct Print : Visitor {
  std::string out;
  void visit(Number &n) override { out += std::to_string(n.value); }
  void visit(Variable &v) override { out += v.name; }
  void visit(Negation &n) override {
    out += '-';
    n.of->accept(*this);
  }
  void visit(Binary &b) override {
    out += '(';
    b.left->accept(*this);
    out += b.op;
    b.right->accept(*this);
    out += ')';
  }
  void visit(Call &c) override {
    out += c.name + '(';
    for (auto &argument : c.arguments) argument->accept(*this);
    out += ')';
  }
};

struct Simplify : Visitor {
  Ptr result;
  SEEN Ptr of(Node &node) {
    node.accept(*this);
    return std::move(result);
  }
  void visit(Number &n) override { result = std::make_unique<Number>(n.value); }
  void visit(Variable &v) override { result = std::make_unique<Variable>(v.name); }
  void visit(Negation &n) override {
    Ptr inner = of(*n.of);
    if (auto *number = dynamic_cast<Number *>(inner.get())) result = std::make_unique<Number>(-number->value);
    else result = std::make_unique<Negation>(std::move(inner));
  }
  void visit(Binary &b) override {
    Ptr left = of(*b.left), right = of(*b.right);
    auto *l = dynamic_cast<Number *>(left.get()), *r = dynamic_cast<Number *>(right.get());
    if (l && r) {
      // Folds a constant with the other visitor: a cycle that goes through both.
      Binary constant(b.op, std::move(left), std::move(right));
      Evaluate evaluate;
      result = std::make_unique<Number>(evaluate.of(constant));
    } else result = std::make_unique<Binary>(b.op, std::move(left), std::move(right));
  }
  void visit(Call &c) override {
    auto call = std::make_unique<Call>();
    call->name = c.name;
    for (auto &argument : c.arguments) call->arguments.push_back(of(*argument));
    result = std::move(call);
  }
};

static unsigned state = 7;
static unsigned next(unsigned below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

SEEN void formula(std::string &out, int depth) {
  static const char operators[] = "+-*/^+*";
  switch (depth <= 0 ? next(2) : 2 + next(6)) {
  case 0: out += std::to_string(next(100)); break;
  case 1: out += 'x' + next(3); break;
  case 2: out += "-"; formula(out, depth - 1); break;
  case 3: out += next(2) ? "sin(" : "max("; formula(out, depth - 1); out += ','; formula(out, depth - 2); out += ')'; break;
  default: out += '('; formula(out, depth - 1 - next(2)); out += operators[next(7)]; formula(out, depth - 1); out += ')';
  }
}

SEEN double compute(const std::string &text) {
  Ptr tree = Parser(text).parseSum();
  Evaluate evaluate;
  evaluate.variables = {{"x", 1}, {"y", 2.5}, {"z", -3}};
  return evaluate.of(*tree);
}

SEEN size_t tidy(const std::string &text) {
  Ptr tree = Parser(text).parseSum();
  Simplify simplify;
  Ptr simpler = simplify.of(*tree);
  Print print;
  simpler->accept(print);
  return print.out.size();
}

int main() {
  double sum = 0;
  for (int i = 0; i < 6; i++) {
    std::string text;
    formula(text, 7);
    for (int again = 0; again < 4; again++) sum += std::fmod(compute(text), 1000) + tidy(text);
  }
  for (int i = 0; i < 60; i++) sum += std::fmod(compute("1+2*x-(y/3)^2"), 1000);
  printf("%g\n", sum);
}
