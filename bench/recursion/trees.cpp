// Sorting, search trees and a walk over folders and files: recursions that call themselves, and some that call each other.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#define SEEN __attribute__((noinline))

static unsigned state = 3;
SEEN unsigned noise() {
  state = state * 1664525u + 1013904223u;
  return state >> 8;
}

SEEN bool less(unsigned a, unsigned b) { return a < b; }

SEEN void insertionSort(std::vector<unsigned> &v, int from, int to) {
  for (int i = from + 1; i < to; i++)
    for (int k = i; k > from && less(v[k], v[k - 1]); k--) std::swap(v[k], v[k - 1]);
}

SEEN int partition(std::vector<unsigned> &v, int from, int to) {
  unsigned pivot = v[from + (to - from) / 2];
  int i = from, k = to - 1;
  for (;; i++, k--) {
    while (less(v[i], pivot)) i++;
    while (less(pivot, v[k])) k--;
    if (i >= k) return k + 1;
    std::swap(v[i], v[k]);
  }
}

SEEN void quicksort(std::vector<unsigned> &v, int from, int to) {
  if (to - from < 8) {
    insertionSort(v, from, to);
    return;
  }
  int middle = partition(v, from, to);
  quicksort(v, from, middle);
  quicksort(v, middle, to);
}

struct Node {
  unsigned key;
  std::unique_ptr<Node> left, right;
};

SEEN void insert(std::unique_ptr<Node> &at, unsigned key) {
  if (!at) {
    at = std::make_unique<Node>();
    at->key = key;
  } else insert(less(key, at->key) ? at->left : at->right, key);
}

SEEN unsigned long walk(const Node *node) { return node ? walk(node->left.get()) + node->key % 7 + walk(node->right.get()) : 0; }
SEEN int height(const Node *node) { return node ? 1 + std::max(height(node->left.get()), height(node->right.get())) : 0; }

struct Folder {
  std::vector<std::string> files;
  std::vector<Folder> folders;
};

SEEN Folder makeFolder(int depth) {
  Folder out;
  for (unsigned i = noise() % 6; i > 0; i--) out.files.push_back("file" + std::to_string(noise() % 1000));
  if (depth > 0)
    for (unsigned i = 1 + noise() % 3; i > 0; i--) out.folders.push_back(makeFolder(depth - 1));
  return out;
}

SEEN unsigned hashOf(const std::string &text) {
  unsigned hash = 1;
  for (char c : text) hash = hash * 31 + c;
  return hash;
}

unsigned visitFolder(const Folder &folder, bool all);

SEEN unsigned visitFile(const std::string &file) { return hashOf(file) % 13; }

SEEN unsigned visitLink(const Folder &folder) { return folder.folders.empty() ? 1 : visitFolder(folder.folders[0], false); }

SEEN unsigned visitEntries(const Folder &folder, bool all) {
  unsigned sum = 0;
  for (auto &file : folder.files) sum += visitFile(file);
  for (auto &inner : folder.folders) {
    sum += visitFolder(inner, all);
    if (all && sum % 5 == 0) sum += visitLink(inner);
  }
  return sum;
}

SEEN unsigned visitFolder(const Folder &folder, bool all) {
  std::vector<unsigned> sizes;
  for (auto &file : folder.files) sizes.push_back(file.size());
  quicksort(sizes, 0, sizes.size());
  return visitEntries(folder, all) + sizes.size();
}

int main() {
  std::vector<unsigned> values(3000);
  for (auto &value : values) value = noise();
  std::unique_ptr<Node> root;
  for (int i = 0; i < 1200; i++) insert(root, values[i]);
  quicksort(values, 0, values.size());
  Folder top = makeFolder(7);
  unsigned long sum = walk(root.get()) + height(root.get()) + values[100] + visitFolder(top, true);
  for (auto &inner : top.folders) sum += visitLink(inner);
  printf("%lu\n", sum);
}
