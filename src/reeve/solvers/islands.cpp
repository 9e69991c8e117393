#include "reeve/solvers/islands.h"

#include <algorithm>

#include "reeve/math/at.h"

namespace reeve {

namespace {

/// Whether a row ties its blocks together now.
bool ties(const Row& row, std::span<const Mode> mode, std::span<const double> force) {
  if (!row.bounded()) return true;
  const bool leans = row.lowerSlot >= 0 || row.upperSlot >= 0;  // friction holds what is pressed, nothing else
  return force[at(row.slot)] != 0.0 || (!leans && mode[at(row.slot)] == Mode::free);
}

}  // namespace

int Islands::of(int block) const {
  while (parent_[at(block)] != block) block = parent_[at(block)];
  return block;
}

int Islands::root(int block) {
  while (parent_[at(block)] != block) block = parent_[at(block)] = parent_[at(parent_[at(block)])];
  return block;
}

void Islands::join(const Model& model, int a, int b) {
  const bool freeA = model.blocks[at(a)].free, freeB = model.blocks[at(b)].free;
  if (freeA && freeB) {
    a = root(a), b = root(b);
    parent_[at(std::max(a, b))] = std::min(a, b);
    if (anchored_[at(std::max(a, b))] != 0) anchored_[at(std::min(a, b))] = 1;
  } else if (freeA || freeB) {
    anchored_[at(root(freeA ? a : b))] = 1;
  }
}

void Islands::begin(const Model& model) {
  const int n = static_cast<int>(model.blocks.size());
  parent_.resize(at(n));
  for (int i = 0; i < n; ++i) parent_[at(i)] = i;
  anchored_.assign(at(n), 0);
  for (const Rotor& rotor : model.rotors) join(model, rotor.block, rotor.parent);
}

void Islands::tie(const Model& model, const RowSet& rows, std::span<const Mode> mode, std::span<const double> force) {
  for (const Row& row : rows.rows) {
    if (row.count < 2 || !ties(row, mode, force)) continue;
    // By way of a free block: what is not free joins nothing.
    int hub = rows.entries[at(row.first)].block;
    for (int e = row.first; e < row.first + row.count; ++e)
      if (model.blocks[at(rows.entries[at(e)].block)].free) hub = rows.entries[at(e)].block;
    for (int e = row.first; e < row.first + row.count; ++e) {
      const int other = rows.entries[at(e)].block;
      if (other != hub) join(model, hub, other);
    }
  }
}

void Islands::tie(const Model& model, const PatchSet& patches) {
  for (const Patch& p : patches.patches)
    if (p.a != p.b) join(model, p.a, p.b);
  for (const Column& c : patches.columns)
    if (c.a != c.b) join(model, c.a, c.b);
}

}  // namespace reeve
