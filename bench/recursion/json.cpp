// A JSON parser that is called from several places, a writer of the same shape, and a search through what was parsed.
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>
#include <vector>

struct Value {
  enum Kind { Null, Number, Text, Array, Object } kind = Null;
  double number = 0;
  std::string text;
  std::vector<Value> items;
  std::map<std::string, Value> members;
};

class Parser {
  const char *at;

  void skipSpace() {
    while (*at == ' ' || *at == '\n') at++;
  }

  std::string parseString() {
    std::string out;
    for (at++; *at != '"'; at++) out += *at == '\\' ? unescape() : *at;
    at++;
    return out;
  }

  __attribute__((noinline)) char unescape() {
    at++;
    return *at == 'n' ? '\n' : *at;
  }

  __attribute__((noinline)) double parseNumber() {
    char *end;
    double out = strtod(at, &end);
    at = end;
    return out;
  }

  __attribute__((noinline)) void parseArray(Value &out) {
    out.kind = Value::Array;
    at++;
    skipSpace();
    while (*at != ']') {
      out.items.push_back(parseValue());
      skipSpace();
      if (*at == ',') at++;
      skipSpace();
    }
    at++;
  }

  __attribute__((noinline)) void parseMember(Value &out) {
    std::string name = parseString();
    skipSpace();
    at++;
    out.members[name] = parseValue();
  }

  __attribute__((noinline)) void parseObject(Value &out) {
    out.kind = Value::Object;
    at++;
    skipSpace();
    while (*at != '}') {
      parseMember(out);
      skipSpace();
      if (*at == ',') at++;
      skipSpace();
    }
    at++;
  }

public:
  explicit Parser(const std::string &text) : at(text.c_str()) {}

  __attribute__((noinline)) Value parseValue() {
    skipSpace();
    Value out;
    if (*at == '{') parseObject(out);
    else if (*at == '[') parseArray(out);
    else if (*at == '"') {
      out.kind = Value::Text;
      out.text = parseString();
    } else if (*at == 'n') at += 4;
    else {
      out.kind = Value::Number;
      out.number = parseNumber();
    }
    return out;
  }
};

static unsigned state = 1;
static unsigned next(unsigned below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

__attribute__((noinline)) void generate(std::string &out, int depth, int wide);

__attribute__((noinline)) void generateObject(std::string &out, int depth, int wide) {
  out += '{';
  for (int i = 0; i < wide; i++) {
    out += i ? ", \"" : "\"";
    out += "key" + std::to_string(next(50)) + "\": ";
    generate(out, depth - 1, wide);
  }
  out += '}';
}

void generate(std::string &out, int depth, int wide) {
  unsigned kind = depth <= 0 ? 3 + next(3) : next(6);
  if (kind < 2) generateObject(out, depth, 1 + next(wide));
  else if (kind < 4 && depth > 0) {
    out += '[';
    for (int i = 1 + next(wide + 1); i > 0; i--) {
      generate(out, depth - 1, wide);
      if (i > 1) out += ", ";
    }
    out += ']';
  } else if (kind == 4) out += "\"some \\\"text\\\"\\n number " + std::to_string(next(1000)) + '"';
  else out += std::to_string(next(100000)) + ".25";
}

__attribute__((noinline)) void write(std::string &out, const Value &value);

__attribute__((noinline)) void writeObject(std::string &out, const Value &value) {
  out += '{';
  for (auto &[name, member] : value.members) {
    out += '"' + name + "\":";
    write(out, member);
    out += ',';
  }
  out += '}';
}

void write(std::string &out, const Value &value) {
  switch (value.kind) {
  case Value::Null: out += "null"; break;
  case Value::Number: out += std::to_string(value.number); break;
  case Value::Text: out += value.text; break;
  case Value::Array:
    for (auto &item : value.items) write(out, item);
    break;
  case Value::Object: writeObject(out, value); break;
  }
}

__attribute__((noinline)) double sumOf(const Value &value) {
  double sum = value.number;
  for (auto &item : value.items) sum += sumOf(item);
  for (auto &[name, member] : value.members) sum += sumOf(member);
  return sum;
}

__attribute__((noinline)) double loadConfig() {
  std::string text = "{";
  for (int i = 0; i < 40; i++) text += "\"setting" + std::to_string(i) + "\": " + std::to_string(next(100)) + ",";
  text += "\"last\": 0}";
  return sumOf(Parser(text).parseValue());
}

__attribute__((noinline)) double readMessages() {
  double sum = 0;
  for (int i = 0; i < 40; i++) {
    std::string text;
    generateObject(text, 2, 4);
    for (int again = 0; again < 3; again++) sum += sumOf(Parser(text).parseValue());
  }
  return sum;
}

__attribute__((noinline)) double importDocument() {
  std::string text = "[";
  for (int i = 0; i < 12; i++) {
    generate(text, 9, 3);
    text += ',';
  }
  text += "[[[[[[[[1, [2, [3, [4]]]]]]]]]]]]";
  double sum = 0;
  for (int again = 0; again < 3; again++) {
    Value value = Parser(text).parseValue();
    std::string out;
    write(out, value);
    sum += sumOf(value) + out.size();
  }
  return sum;
}

int main() {
  double sum = loadConfig() + readMessages() + importDocument();
  printf("%g\n", sum);
}
