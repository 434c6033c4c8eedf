// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_model.h"

#include <algorithm>
#include <functional>
#include <set>

#include "engine/spec/device_kind.h"

namespace slipstream::ui {

namespace {

/// The usual case: nothing was removed or moved, some rows may be new at the end.
template <class Node>
bool keepsAll(const Node& parent, const std::vector<RunTreeEntry>& entries) {
  return parent.children.size() <= entries.size() &&
         std::equal(parent.children.begin(), parent.children.end(), entries.begin(),
                    [](const auto& child, const RunTreeEntry& entry) { return child->key == entry.key; });
}

/// What a row shows is the same.
bool showsSame(const RunRow& a, const RunRow& b) {
  return a.run.state == b.run.state && a.run.attempt == b.run.attempt && a.run.why == b.run.why &&
         a.run.endedAt == b.run.endedAt && a.label == b.label;
}

}  // namespace

RunModel::RunModel(StoreWatcher& store, QObject* parent)
    : QAbstractItemModel(parent), root_(std::make_unique<Node>()), summaries_(new RunSummaries(store, this)) {
  connect(summaries_, &RunSummaries::arrived, this, [this](const std::string& run) {
    if (const auto found = runs_.find(run); found != runs_.end()) notifyChanged(*found->second);
  });
}

RunModel::~RunModel() = default;

void RunModel::take(std::vector<RunTreeEntry> entries, StoreSnapshotPointer snapshot) {
  const StoreSnapshotPointer before =
      std::exchange(snapshot_, std::move(snapshot));  // rows point into it until the end
  merge(*root_, entries);
}

void RunModel::merge(Node& parent, std::vector<RunTreeEntry>& entries) {
  removeMissing(parent, entries);
  std::size_t at = 0;
  while (at < entries.size()) {
    if (at < parent.children.size() && parent.children[at]->key == entries[at].key) {
      Node& node = *parent.children[at];
      adopt(node, entries[at]);
      merge(node, entries[at].children);
      ++at;
      continue;
    }
    std::size_t end = at + 1;
    const std::string next = at < parent.children.size() ? parent.children[at]->key : std::string();
    while (end < entries.size() && entries[end].key != next) ++end;
    insertAt(parent, at, entries, end);
    at = end;
  }
}

/// What stays is a row that is still wanted, in the order in which it is wanted.
void RunModel::removeMissing(Node& parent, const std::vector<RunTreeEntry>& entries) {
  if (keepsAll(parent, entries)) return;
  std::unordered_map<std::string, std::size_t> wanted;
  for (std::size_t i = 0; i < entries.size(); ++i) wanted.emplace(entries[i].key, i);
  std::vector<bool> stays(parent.children.size());
  std::size_t last = 0;
  for (std::size_t i = 0; i < parent.children.size(); ++i) {
    const auto found = wanted.find(parent.children[i]->key);
    stays[i] = found != wanted.end() && found->second >= last;
    if (stays[i]) last = found->second;
  }
  for (std::size_t end = parent.children.size(); end > 0;) {
    if (stays[end - 1]) {
      --end;
      continue;
    }
    std::size_t first = end - 1;
    while (first > 0 && !stays[first - 1]) --first;
    beginRemoveRows(indexOf(parent), static_cast<int>(first), static_cast<int>(end) - 1);
    for (std::size_t i = first; i < end; ++i) forget(*parent.children[i]);
    parent.children.erase(parent.children.begin() + static_cast<std::ptrdiff_t>(first),
                          parent.children.begin() + static_cast<std::ptrdiff_t>(end));
    parent.count();
    endRemoveRows();
    end = first;
  }
}

/// Rows with all that is below them.
void RunModel::insertAt(Node& parent, std::size_t place, std::vector<RunTreeEntry>& entries, std::size_t end) {
  const std::function<std::unique_ptr<Node>(Node&, RunTreeEntry&)> make = [&](Node& above, RunTreeEntry& entry) {
    auto node = std::make_unique<Node>();
    node->parent = &above;
    node->kind = entry.kind;
    node->key = entry.key;
    node->title = entry.title;
    node->whole = entry.whole;
    node->row = entry.row;
    node->number = entry.number;
    node->place = entry.place;
    if (node->row != nullptr) runs_[node->row->run.id] = node.get();
    for (RunTreeEntry& child : entry.children) node->children.push_back(make(*node, child));
    node->count();
    return node;
  };
  std::vector<std::unique_ptr<Node>> made;
  for (std::size_t i = place; i < end; ++i) made.push_back(make(parent, entries[i]));
  beginInsertRows(indexOf(parent), static_cast<int>(place), static_cast<int>(end) - 1);
  parent.children.insert(parent.children.begin() + static_cast<std::ptrdiff_t>(place),
                         std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
  parent.count();
  endInsertRows();
}

void RunModel::adopt(Node& node, RunTreeEntry& entry) {
  const bool living = entry.row != nullptr && !isTerminal(entry.row->run.state);
  const bool grown = node.children.size() != entry.children.size();
  const bool same = node.title == entry.title && node.place == entry.place && !grown && !living &&
                    (entry.row == nullptr || showsSame(*node.row, *entry.row));
  node.title = entry.title;
  node.whole = entry.whole;
  node.place = entry.place;
  node.row = entry.row;
  if (node.row != nullptr) runs_[node.row->run.id] = &node;
  if (!same) notifyChanged(node);
}

void RunModel::notifyChanged(const Node& node) {
  Q_EMIT dataChanged(indexOf(node), indexOf(node));
  if (node.parent != nullptr && node.parent->kind == Kind::variant) notifyChanged(*node.parent);
}

void RunModel::forget(const Node& node) {
  if (node.row != nullptr) {
    const auto known = runs_.find(node.key.substr(4));  // "run ID": the row may be of an older snapshot
    if (known != runs_.end() && known->second == &node) runs_.erase(known);
  }
  for (const auto& child : node.children) forget(*child);
}

RunModel::Node& RunModel::nodeOf(const QModelIndex& index) const {
  return index.isValid() ? *static_cast<Node*>(index.internalPointer()) : *root_;
}

QModelIndex RunModel::indexOf(const Node& node) const {
  if (&node == root_.get()) return {};
  return createIndex(node.position, 0, &node);
}

RunModel::Kind RunModel::kindOf(const QModelIndex& index) const {
  return nodeOf(index).kind;
}
std::string RunModel::keyOf(const QModelIndex& index) const {
  return nodeOf(index).key;
}
const RunRow* RunModel::runOf(const QModelIndex& index) const {
  return nodeOf(index).row;
}
int RunModel::queueNumberOf(const QModelIndex& index) const {
  return nodeOf(index).number;
}

std::vector<std::string> RunModel::runsUnder(const QModelIndex& index) const {
  std::vector<std::string> runs;
  const std::function<void(const Node&)> collect = [&](const Node& node) {
    if (node.row != nullptr) runs.push_back(node.row->run.id);
    for (const auto& child : node.children) collect(*child);
  };
  collect(nodeOf(index));
  return runs;
}

int RunModel::runCountBelow(const QModelIndex& index) const {
  return nodeOf(index).runsBelow();
}

RunModel::Marks RunModel::marksOf(const QModelIndex& index) const {
  Marks marks;
  const auto add = [&marks](const Node& node) {
    if (node.row == nullptr) return;
    marks.pinned = marks.pinned || node.row->label.pinned;
    marks.remote = marks.remote || !node.row->run.remote.empty();
    marks.emulated = marks.emulated || isEmulated(node.row->run.device);
  };
  const Node& node = nodeOf(index);
  add(node);
  if (node.kind == Kind::variant) std::ranges::for_each(node.children, [&add](const auto& child) { add(*child); });
  return marks;
}

bool RunModel::hasResults(const QModelIndex& index) const {
  const std::function<bool(const Node&)> hasAny = [&](const Node& node) {
    if (node.row != nullptr && node.row->run.state == RunState::done) return true;
    return std::ranges::any_of(node.children, [&](const auto& child) { return hasAny(*child); });
  };
  return hasAny(nodeOf(index));
}

QModelIndex RunModel::indexOfRun(const std::string& run) const {
  const auto found = runs_.find(run);
  return found == runs_.end() ? QModelIndex() : indexOf(*found->second);
}

/// Few wait: they are looked for.
QModelIndex RunModel::indexOfQueued(int number) const {
  const std::function<const Node*(const Node&)> find = [&](const Node& node) -> const Node* {
    if (node.kind == Kind::queued && node.number == number) return &node;
    for (const auto& child : node.children) {
      if (const Node* found = find(*child)) return found;
    }
    return nullptr;
  };
  const Node* found = find(*root_);
  return found == nullptr ? QModelIndex() : indexOf(*found);
}

}  // namespace slipstream::ui
